/** Reading the text files by which the kernel describes a machine and a process. Not exported. */
package org.cabrank.affinity.files;

/** Reading the text files by which the kernel describes a machine and a process. Exported to the checks of pinning only. */
package org.cabrank.affinity.files;

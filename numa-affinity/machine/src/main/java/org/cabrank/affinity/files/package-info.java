/** Reads the text files in which the kernel describes a machine and a process. Exported only to {@code org.cabrank.pinning}. */
package org.cabrank.affinity.files;

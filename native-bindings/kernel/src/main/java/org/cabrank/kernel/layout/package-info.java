/** Offsets and sizes of the kernel's structures, and the constants of io_uring and socket filters. Only Cabrank's own modules use them. */
package org.cabrank.kernel.layout;

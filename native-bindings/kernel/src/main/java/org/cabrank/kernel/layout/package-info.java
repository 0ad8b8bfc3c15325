/** Offsets and sizes of the kernel's structures, and the constants of io_uring and socket filters. For Cabrank's own modules. */
package org.cabrank.kernel.layout;

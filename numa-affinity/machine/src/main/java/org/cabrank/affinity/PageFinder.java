package org.cabrank.affinity;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.SortedMap;
import java.util.TreeMap;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.NativeArgument;

/** Asks the kernel page by page where memory is: move_pages(2) without nodes to move to. Any thread. */
final class PageFinder {
    /** Bound on the size of the arguments of one call. */
    private static final int PAGES_PER_CALL = 1024;

    private final Kernel kernel;
    private final int pageBytes;

    PageFinder(Kernel kernel) {
        this.kernel = kernel;
        this.pageBytes = kernel.getpagesize();
    }

    /** The address of the page that {@code address} is in. */
    long startOfPage(long address) {
        return address & -pageBytes;
    }

    /** {@code address} itself where a page starts there. */
    long startOfNextPage(long address) {
        return startOfPage(address + pageBytes - 1);
    }

    PagePlaces find(long address, long length) throws KernelException {
        SortedMap<Integer, Long> byStatus = new TreeMap<>();
        long end = startOfNextPage(address + length);
        ByteBuffer pages = direct(PAGES_PER_CALL * Long.BYTES);
        ByteBuffer status = direct(PAGES_PER_CALL * Integer.BYTES);
        for (long page = startOfPage(address); page < end; ) {
            int count = (int) Math.min(PAGES_PER_CALL, (end - page) / pageBytes);
            for (int i = 0; i < count; i++) {
                pages.putLong(i * Long.BYTES, page);
                page += pageBytes;
            }
            int result = NativeArgument.pass(
                    kernel,
                    pages,
                    pagesAddress -> NativeArgument.pass(
                            kernel,
                            status,
                            statusAddress -> kernel.movePages(0, count, pagesAddress, 0, statusAddress, 0)));
            if (result < 0) {
                throw Errno.exception("move_pages", result);
            }
            for (int i = 0; i < count; i++) {
                byStatus.merge(status.getInt(i * Integer.BYTES), 1L, Long::sum);
            }
        }
        return places(byStatus);
    }

    /**
     * Counts pages by status. A status is a node or a negative errno: ENOENT for a page that does not exist yet, other
     * errors for pages whose node is unknown.
     */
    private static PagePlaces places(SortedMap<Integer, Long> byStatus) {
        long untouched = byStatus.getOrDefault(-Errno.ENOENT, 0L);
        long failed =
                byStatus.headMap(0).values().stream().mapToLong(Long::longValue).sum();
        return new PagePlaces(byStatus.tailMap(0), untouched, failed - untouched);
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }
}

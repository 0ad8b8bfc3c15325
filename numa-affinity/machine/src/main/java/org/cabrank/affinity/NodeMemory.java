package org.cabrank.affinity;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.Memory;
import org.cabrank.kernel.MemoryPolicies;
import org.cabrank.kernel.NativeArgument;

/**
 * Sets the memory node of the calling thread's new pages by set_mempolicy(2), and checks it by move_pages(2). This affects the direct
 * buffers and the rings that the threads of a shard share. It does not affect the Java heap.
 */
public final class NodeMemory {
    private static final int NODES_MAX = 1024;

    /** Number of bits of a mask plus 1. See {@link org.cabrank.kernel.MemoryPolicyCalls}. */
    private static final int MASK_BITS = NODES_MAX + 1;

    private static final int PROBE_PAGES = 16;

    private final Kernel kernel;

    public NodeMemory(Kernel kernel) {
        this.kernel = Objects.requireNonNull(kernel);
    }

    /**
     * Makes new memory of the calling thread come from {@code node}, as long as the node has free memory. Threads that it starts inherit
     * this. If the node is full, memory comes from farther nodes, and the kernel does not kill the process.
     *
     * @throws AffinityException if the kernel refuses, or new pages come from another node; the message gives the reason
     */
    public void prefer(int node) throws AffinityException {
        int result = NativeArgument.pass(
                kernel,
                mask(CpuList.of(node)),
                mask -> kernel.setMempolicy(MemoryPolicies.MPOL_PREFERRED, mask, MASK_BITS));
        if (result < 0) {
            throw refused("this thread's memory cannot have the policy preferred:" + node, "set_mempolicy", result);
        }
        SortedMap<Integer, Integer> pages = probe();
        if (pages.keySet().stream().anyMatch(place -> place != node)) {
            String places = pages.entrySet().stream()
                    .map(place -> place.getValue()
                            + (place.getKey() < 0
                                    ? " of which the kernel does not say where"
                                    : (place.getValue() == 1 ? " page" : " pages") + " on node " + place.getKey()))
                    .collect(Collectors.joining(", "));
            throw new AffinityException("memory was to come from node " + node + ", but of " + PROBE_PAGES
                    + " pages there are " + places + ": the node has none left");
        }
    }

    /** Returns the number of new pages on each node. Key -1 has the number of pages on unknown nodes. */
    private SortedMap<Integer, Integer> probe() throws AffinityException {
        int pageBytes = kernel.getpagesize();
        int bytes = PROBE_PAGES * pageBytes;
        int access = Memory.PROT_READ | Memory.PROT_WRITE;
        long memory = kernel.mmap(0, bytes, access, Memory.MAP_PRIVATE | Memory.MAP_ANONYMOUS, -1, 0);
        if (memory < 0 && memory >= -Errno.MAX_ERRNO) {
            throw refused("memory cannot be probed", "mmap", (int) memory);
        }
        try {
            ByteBuffer view = kernel.viewOf(memory, bytes);
            ByteBuffer addresses = direct(PROBE_PAGES * Long.BYTES);
            ByteBuffer status = direct(PROBE_PAGES * Integer.BYTES);
            for (int page = 0; page < PROBE_PAGES; page++) {
                view.put(page * pageBytes, (byte) 1);
                addresses.putLong(page * Long.BYTES, memory + (long) page * pageBytes);
            }
            int result = NativeArgument.pass(
                    kernel,
                    addresses,
                    from -> NativeArgument.pass(
                            kernel, status, to -> kernel.movePages(0, PROBE_PAGES, from, 0, to, 0)));
            if (result < 0) {
                throw refused("the kernel does not say where memory is", "move_pages", result);
            }
            SortedMap<Integer, Integer> pages = new TreeMap<>();
            for (int page = 0; page < PROBE_PAGES; page++) {
                int place = status.getInt(page * Integer.BYTES);
                if (place != -Errno.ENOENT) { // ENOENT: the page is swapped out
                    pages.merge(Math.max(-1, place), 1, Integer::sum);
                }
            }
            return pages;
        } finally {
            kernel.munmap(memory, bytes);
        }
    }

    private static ByteBuffer mask(CpuList nodes) {
        return ByteBuffer.allocateDirect(NODES_MAX / Byte.SIZE).put(0, nodes.mask());
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    private AffinityException refused(String what, String call, int result) {
        String why = switch (-result) {
            case Errno.EPERM ->
                "the kernel does not permit it (EPERM): a sandbox such as seccomp forbids the call, as Docker's"
                        + " does without CAP_SYS_NICE";
            case Errno.ENOSYS -> "this kernel was built without NUMA (ENOSYS), and has one node";
            case Errno.EINVAL ->
                "the node is missing, has no memory or is not allowed for this process (EINVAL)" + allowed();
            case Errno.ENOMEM -> "the kernel has no memory for it (ENOMEM)";
            default -> Errno.describe(-result);
        };
        return new AffinityException(what + ": " + why, Errno.exception(call, result));
    }

    private String allowed() {
        ByteBuffer nodes = mask(CpuList.of());
        int result = NativeArgument.pass(
                kernel, nodes, mask -> kernel.getMempolicy(0, mask, MASK_BITS, 0, MemoryPolicies.MPOL_F_MEMS_ALLOWED));
        return result < 0 ? "" : "; it may use node " + CpuList.of(BitSet.valueOf(nodes));
    }
}

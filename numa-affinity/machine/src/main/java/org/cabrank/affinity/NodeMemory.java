package org.cabrank.affinity;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.LongToIntFunction;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.Memory;
import org.cabrank.kernel.MemoryPolicies;
import org.cabrank.kernel.NativeArgument;

/**
 * From which memory nodes this process's memory comes, and where it is: set_mempolicy(2), mbind(2), move_pages(2).
 *
 * <p>A page comes from the node of the CPU that touches it first, so a pinned thread mostly has its memory at hand without
 * any of this. A policy makes sure of it, for what a shard's threads share: buffers that Java zeroes, and rings that the
 * kernel makes for the thread that asks for them ({@link #call}). The Java heap is none of it: its pages have been touched,
 * or will be by whichever thread allocates there first.
 *
 * <p>Any thread may use it. A policy of a thread is that of the calling one; threads that it starts inherit it.
 */
public final class NodeMemory {
    private static final System.Logger LOGGER = System.getLogger(NodeMemory.class.getName());

    /** Maximum number of nodes that a kernel can be built for. */
    private static final int NODES_MAX = 1024;

    /** The kernel counts one more: see {@link org.cabrank.kernel.MemoryPolicyCalls}. */
    private static final int MASK_BITS = NODES_MAX + 1;

    private static final int PROBE_PAGES = 16;

    private final Kernel kernel;
    private final PageFinder pages;

    public NodeMemory(Kernel kernel) {
        this.kernel = Objects.requireNonNull(kernel);
        this.pages = new PageFinder(kernel);
    }

    /**
     * The nodes that this process's cpuset allows.
     *
     * @throws MemoryPolicyException when the kernel does not tell
     */
    public CpuList allowed() throws MemoryPolicyException {
        return read(MemoryPolicies.MPOL_F_MEMS_ALLOWED).nodes();
    }

    /**
     * Gives the calling thread this policy, and makes sure of it: the kernel drops nodes without memory or outside this
     * process's cpuset without a word, as long as one remains. On failure the thread has what it had before.
     *
     * @throws MemoryPolicyException when it cannot have it; the message says why
     */
    public void apply(MemoryPolicy policy) throws MemoryPolicyException {
        apply(policy, read(0));
    }

    private void apply(MemoryPolicy policy, KernelPolicy before) throws MemoryPolicyException {
        KernelPolicy wanted = policy.asTheKernelHasIt();
        int result = write(wanted);
        if (result < 0) {
            throw refused("this thread's memory cannot have the policy " + policy, "set_mempolicy", result);
        }
        KernelPolicy after = read(0);
        if (!after.equals(wanted)) {
            int back = write(before);
            throw new MemoryPolicyException("this thread's memory cannot have the policy " + policy
                    + ": the kernel makes it " + after + "; "
                    + (back < 0
                            ? "and going back to " + before + " failed: " + Errno.describe(-back)
                            : "it has " + before + " as before"));
        }
    }

    /**
     * Runs {@code work} under this policy, for example to allocate a shard's buffers and rings. The calling thread has its
     * previous policy again afterwards.
     *
     * @return the result of {@code work}
     * @throws MemoryPolicyException if the kernel refuses the policy; {@code work} has not run then
     * @throws Exception if {@code work} throws it
     */
    public <T> T call(MemoryPolicy policy, Callable<T> work) throws Exception {
        KernelPolicy before = read(0);
        apply(policy, before);
        try {
            return work.call();
        } finally {
            int result = write(before);
            if (result < 0) {
                // Logged, not thrown: the result of the work must not be lost.
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "{0} keeps the memory policy {1}: going back to {2} failed: {3}",
                        Thread.currentThread().getName(),
                        policy,
                        before,
                        Errno.describe(-result));
            }
        }
    }

    /**
     * Gives a direct buffer a policy of its own, which has precedence over the policies of the threads that touch it, and
     * moves the pages that exist already. Applies to whole pages only, because the buffer's first and last page may hold
     * other data as well.
     *
     * @return number of bytes that have the policy now; 0 if the buffer contains no whole page
     * @throws MemoryPolicyException if the kernel refuses the policy or cannot move some pages; the message gives the
     *     reason
     */
    public long bind(ByteBuffer direct, MemoryPolicy policy) throws MemoryPolicyException {
        long bytes = bind(kernel.addressOf(direct), direct.capacity(), policy);
        Reference.reachabilityFence(direct);
        return bytes;
    }

    /** Binds {@code length} bytes at {@code address}, such as a mapped ring, like {@link #bind(ByteBuffer, MemoryPolicy)}. */
    public long bind(long address, long length, MemoryPolicy policy) throws MemoryPolicyException {
        long from = pages.startOfNextPage(address);
        long bytes = pages.startOfPage(address + length) - from;
        if (bytes <= 0) {
            return 0;
        }
        KernelPolicy wanted = policy.asTheKernelHasIt();
        int move = MemoryPolicies.MPOL_MF_MOVE | MemoryPolicies.MPOL_MF_STRICT;
        int result = withMask(
                wanted.nodes(), mask -> kernel.mbind(from, bytes, wanted.mode(), mask, maskBits(wanted), move));
        if (result < 0) {
            throw refused(bytes + " bytes of memory cannot have the policy " + policy, "mbind", result);
        }
        return bytes;
    }

    /**
     * Returns the nodes of a direct buffer's pages, including the first and last page, which may be shared.
     *
     * @throws MemoryPolicyException if the kernel does not report them
     */
    public PagePlaces where(ByteBuffer direct) throws MemoryPolicyException {
        PagePlaces places = where(kernel.addressOf(direct), direct.capacity());
        Reference.reachabilityFence(direct);
        return places;
    }

    /** Returns the places of {@code length} bytes at {@code address}, like {@link #where(ByteBuffer)}. */
    public PagePlaces where(long address, long length) throws MemoryPolicyException {
        try {
            return pages.find(address, length);
        } catch (KernelException failed) {
            throw refused("the kernel does not say where memory is", "move_pages", -failed.errno());
        }
    }

    /**
     * Returns the nodes that new memory of the calling thread comes from now: touches a few pages, reads their nodes and
     * unmaps them. The result shows whether a policy that only prefers a node is obeyed; the kernel uses other nodes when
     * that node is full.
     *
     * @throws MemoryPolicyException if the kernel maps no memory or does not report the nodes
     */
    public PagePlaces probe() throws MemoryPolicyException {
        int pageBytes = kernel.getpagesize();
        int bytes = PROBE_PAGES * pageBytes;
        int access = Memory.PROT_READ | Memory.PROT_WRITE;
        long address = kernel.mmap(0, bytes, access, Memory.MAP_PRIVATE | Memory.MAP_ANONYMOUS, -1, 0);
        if (address < 0 && address >= -Errno.MAX_ERRNO) {
            throw refused("memory cannot be probed", "mmap", (int) address);
        }
        try {
            ByteBuffer view = kernel.viewOf(address, bytes);
            for (int at = 0; at < bytes; at += pageBytes) {
                view.put(at, (byte) 1);
            }
            return where(address, bytes);
        } finally {
            kernel.munmap(address, bytes);
        }
    }

    private KernelPolicy read(int flags) throws MemoryPolicyException {
        ByteBuffer mode = ByteBuffer.allocateDirect(Integer.BYTES).order(ByteOrder.nativeOrder());
        ByteBuffer mask = mask(CpuList.of());
        int result = NativeArgument.pass(
                kernel,
                mode,
                modeAddress -> NativeArgument.pass(
                        kernel, mask, address -> kernel.getMempolicy(modeAddress, address, MASK_BITS, 0, flags)));
        if (result < 0) {
            throw refused("this thread's memory policy cannot be read", "get_mempolicy", result);
        }
        return KernelPolicy.read(mode.getInt(0), CpuList.of(BitSet.valueOf(mask)));
    }

    private int write(KernelPolicy policy) {
        return withMask(policy.nodes(), mask -> kernel.setMempolicy(policy.mode(), mask, maskBits(policy)));
    }

    private static ByteBuffer mask(CpuList nodes) {
        return ByteBuffer.allocateDirect(NODES_MAX / Byte.SIZE).put(0, nodes.mask());
    }

    /** Calls with the address of a mask; the policies that name no nodes take none, which is 0. */
    private int withMask(CpuList nodes, LongToIntFunction call) {
        return nodes.isEmpty() ? call.applyAsInt(0) : NativeArgument.pass(kernel, mask(nodes), call);
    }

    private static int maskBits(KernelPolicy policy) {
        return policy.nodes().isEmpty() ? 0 : MASK_BITS;
    }

    private MemoryPolicyException refused(String what, String call, int result) {
        String why = switch (-result) {
            case Errno.EPERM ->
                "the kernel does not permit it (EPERM): a sandbox such as seccomp forbids the call, as Docker's"
                        + " does without CAP_SYS_NICE";
            case Errno.ENOSYS -> "this kernel was built without NUMA (ENOSYS), and has one node";
            case Errno.EINVAL ->
                "none of these nodes is there, has memory and is allowed for this process (EINVAL)" + allowedWords();
            case Errno.EIO ->
                "some of its pages are elsewhere and cannot be moved (EIO): they are held in place for a device or a"
                        + " ring, or shared";
            case Errno.EFAULT -> "not all of it is memory of this process (EFAULT)";
            case Errno.ENOMEM -> "the kernel has no memory for it (ENOMEM)";
            default -> Errno.describe(-result);
        };
        return new MemoryPolicyException(what + ": " + why, Errno.exception(call, result));
    }

    private String allowedWords() {
        ByteBuffer mask = mask(CpuList.of());
        int result = NativeArgument.pass(
                kernel,
                mask,
                address -> kernel.getMempolicy(0, address, MASK_BITS, 0, MemoryPolicies.MPOL_F_MEMS_ALLOWED));
        return result < 0 ? "" : "; it may use node " + CpuList.of(BitSet.valueOf(mask));
    }
}

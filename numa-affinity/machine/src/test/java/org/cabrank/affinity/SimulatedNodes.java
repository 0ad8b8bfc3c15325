package org.cabrank.affinity;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.ForwardingKernel;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.MemoryPolicies;

/** A kernel with several memory nodes, some of which the cpuset allows. It has one thread, and moves no page. */
class SimulatedNodes extends ForwardingKernel {
    /** Every policy that was set, whether for the thread or a range of memory. */
    final List<KernelPolicy> set = new ArrayList<>();

    /** The ranges that mbind was called for, as {@code address+length}. */
    final List<String> ranges = new ArrayList<>();

    /** Statuses that move_pages reports, repeated for as many pages as requested. */
    int[] statuses = {0};

    /** Pages of each call of move_pages. */
    final List<Long> asked = new ArrayList<>();

    KernelPolicy thread = new KernelPolicy(MemoryPolicies.MPOL_DEFAULT, CpuList.of());

    /** Error of every later call that changes something; 0: success. */
    int errno;

    private final CpuList allowed;

    SimulatedNodes(Kernel real, CpuList allowed) {
        super(real);
        this.allowed = allowed;
    }

    @Override
    public int getpagesize() {
        return 4096;
    }

    @Override
    public int setMempolicy(int mode, long nodeMask, int maskBits) {
        KernelPolicy policy = policy(mode, nodeMask, maskBits);
        set.add(policy);
        CpuList nodes = policy.nodes().intersection(allowed);
        if (errno != 0 || !policy.nodes().isEmpty() && nodes.isEmpty()) {
            return errno != 0 ? -errno : -Errno.EINVAL;
        }
        thread = new KernelPolicy(mode, nodes);
        return 0;
    }

    @Override
    public int getMempolicy(long modeAddress, long nodeMask, int maskBits, long address, int flags) {
        CpuList nodes = flags == MemoryPolicies.MPOL_F_MEMS_ALLOWED ? allowed : thread.nodes();
        if (modeAddress != 0) {
            viewOf(modeAddress, Integer.BYTES).putInt(0, flags == 0 ? thread.mode() : 0);
        }
        int bytes = (maskBits - 1) / Byte.SIZE;
        viewOf(nodeMask, bytes).put(0, new byte[bytes]).put(0, nodes.mask());
        return 0;
    }

    @Override
    public int mbind(long address, long length, int mode, long nodeMask, int maskBits, int flags) {
        set.add(policy(mode, nodeMask, maskBits));
        ranges.add(address + "+" + length);
        return -errno;
    }

    @Override
    public int movePages(int pid, long count, long pages, long nodes, long status, int flags) {
        ByteBuffer statusView = viewOf(status, (int) count * Integer.BYTES);
        for (int i = 0; i < count; i++) {
            statusView.putInt(i * Integer.BYTES, statuses[i % statuses.length]);
        }
        asked.add(count);
        return -errno;
    }

    private KernelPolicy policy(int mode, long nodeMask, int maskBits) {
        BitSet nodes = nodeMask == 0 ? new BitSet() : BitSet.valueOf(viewOf(nodeMask, (maskBits - 1) / Byte.SIZE));
        return new KernelPolicy(mode, CpuList.of(nodes));
    }
}

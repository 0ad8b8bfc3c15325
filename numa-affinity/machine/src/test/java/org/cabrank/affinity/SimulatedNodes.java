package org.cabrank.affinity;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.MemoryPolicies;
import org.cabrank.kernel.contract.ForwardingKernel;

/** A kernel with several memory nodes, some of which the cpuset allows. */
class SimulatedNodes extends ForwardingKernel {
    /** Every policy that was asked for, such as {@code preferred:1}. */
    final List<String> set = new ArrayList<>();

    /** Statuses that move_pages reports, repeated for as many pages as requested. */
    int[] statuses = {0};

    /** Error of every later call that changes something; 0: success. */
    int errno;

    private final CpuList allowed;

    SimulatedNodes(Kernel real, CpuList allowed) {
        super(real);
        this.allowed = allowed;
    }

    @Override
    public int setMempolicy(int mode, long nodeMask, int maskBits) {
        CpuList nodes = CpuList.of(BitSet.valueOf(viewOf(nodeMask, (maskBits - 1) / Byte.SIZE)));
        set.add((mode == MemoryPolicies.MPOL_PREFERRED ? "preferred" : "policy " + mode) + ":" + nodes);
        return errno != 0 ? -errno : nodes.intersection(allowed).isEmpty() ? -Errno.EINVAL : 0;
    }

    @Override
    public int getMempolicy(long modeAddress, long nodeMask, int maskBits, long address, int flags) {
        int bytes = (maskBits - 1) / Byte.SIZE;
        viewOf(nodeMask, bytes).put(0, new byte[bytes]).put(0, allowed.mask());
        return 0;
    }

    @Override
    public int movePages(int pid, long count, long pages, long nodes, long status, int flags) {
        ByteBuffer statusView = viewOf(status, (int) count * Integer.BYTES);
        for (int i = 0; i < count; i++) {
            statusView.putInt(i * Integer.BYTES, statuses[i % statuses.length]);
        }
        return -errno;
    }
}

package org.cabrank.affinity;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;

/**
 * A kernel whose CPUs come and go, and whose masks are as wide as the test says. A thread's mask is what it asked for, as far
 * as that is online and in the cpuset; when nothing of it is, the whole cpuset (sched_setaffinity(2), cpuset(7)).
 */
final class SimulatedCpus extends ForwardingKernel {
    /** The mask calls that each thread has made of the others, by what they asked for. */
    final List<CpuList> asked = new ArrayList<>();

    private final int maskBytes;
    private final Map<Integer, CpuList> masks = new HashMap<>();
    private CpuList online;
    private CpuList cpuset;
    private int errno;

    /** @param cpus that there are, all online and in the cpuset */
    SimulatedCpus(Kernel real, int maskBytes, CpuList cpus) {
        super(real);
        this.maskBytes = maskBytes;
        this.online = cpus;
        this.cpuset = cpus;
    }

    synchronized void online(CpuList cpus) {
        online = cpus;
    }

    synchronized void cpuset(CpuList cpus) {
        cpuset = cpus;
    }

    /** 0: calls succeed again. */
    synchronized void refuseWith(int error) {
        errno = error;
    }

    /** Changes the mask as taskset(1) does. */
    synchronized void changeFromOutside(int tid, CpuList cpus) {
        masks.put(tid, cpus);
    }

    synchronized CpuList maskOf(int tid) {
        CpuList there = online.intersection(cpuset);
        CpuList mask = masks.getOrDefault(tid, there).intersection(there);
        return mask.isEmpty() ? there : mask;
    }

    @Override
    public synchronized int schedGetaffinity(int tid, int bytes, long mask) {
        if (bytes < maskBytes) {
            return -Errno.EINVAL;
        }
        byte[] bits = maskOf(id(tid)).mask();
        viewOf(mask, bytes).put(0, new byte[bytes]).put(0, bits);
        return 0;
    }

    @Override
    public synchronized int schedSetaffinity(int tid, int bytes, long mask) {
        ByteBuffer bits = viewOf(mask, Math.min(bytes, maskBytes));
        CpuList cpus = CpuList.of(BitSet.valueOf(bits));
        asked.add(cpus);
        if (errno != 0) {
            return -errno;
        }
        if (cpus.intersection(online).intersection(cpuset).isEmpty()) {
            return -Errno.EINVAL;
        }
        masks.put(id(tid), cpus);
        return 0;
    }

    private int id(int tid) {
        return tid == 0 ? gettid() : tid;
    }
}

package org.cabrank.bench.run;

import org.cabrank.affinity.CpuList;

record CpuPlan(CpuList server, CpuList load, boolean shared, String explanation) {

    /** Maximum number of CPUs for the load. More CPUs would not increase the load, because the server is the bottleneck. */
    private static final int LOAD_CPUS_MAX = 2;

    interface Siblings {
        CpuList of(int cpu);
    }

    /**
     * If {@code server} is null, chooses the last CPUs for the server, because the first CPUs often serve interrupts. If {@code load} is
     * null, chooses one or two other CPUs for the load, on other cores if possible. Without other CPUs, the load shares the server's CPUs.
     */
    static CpuPlan of(CpuList allowed, CpuList server, int serverCount, CpuList load, Siblings siblings) {
        checkCount(serverCount, server, allowed);
        check("--server-cpus", server, allowed);
        check("--load-cpus", load, allowed);
        CpuList serverCpus = server != null ? server : chooseServer(allowed, serverCount, load);
        CpuList loadCpus = load != null ? load : chooseLoad(allowed, serverCpus, siblings);
        boolean shared = intersects(loadCpus, serverCpus);
        return new CpuPlan(serverCpus, loadCpus, shared, explain(serverCpus, loadCpus, shared, siblings));
    }

    private static void check(String flag, CpuList wanted, CpuList allowed) {
        if (wanted == null) {
            return;
        }
        if (wanted.isEmpty()) {
            throw new IllegalArgumentException(flag + " names no CPU");
        }
        if (!allowed.containsAll(wanted)) {
            throw new IllegalArgumentException(flag + " " + wanted + ": this process may use only " + allowed);
        }
    }

    private static void checkCount(int serverCount, CpuList server, CpuList allowed) {
        if (server == null && serverCount > allowed.size()) {
            throw new IllegalArgumentException(
                    "the server is to have " + serverCount + " CPUs, but this process may use only " + allowed
                            + ": ask for fewer, or name them (--server-cpus)");
        }
    }

    private static CpuList chooseServer(CpuList allowed, int count, CpuList load) {
        CpuList free = load == null ? allowed : allowed.without(load);
        CpuList from = free.size() < count ? allowed : free;
        return CpuList.of(from.cpus().skip(from.size() - count).toArray());
    }

    private static CpuList chooseLoad(CpuList allowed, CpuList server, Siblings siblings) {
        CpuList others = allowed.without(server);
        CpuList otherCores = others.without(cores(server, siblings));
        CpuList from = !otherCores.isEmpty() ? otherCores : !others.isEmpty() ? others : allowed;
        return CpuList.of(from.cpus().limit(LOAD_CPUS_MAX).toArray());
    }

    private static String explain(CpuList server, CpuList load, boolean shared, Siblings siblings) {
        String where = "Server on CPU " + server + ", load generator on CPU " + load;
        if (shared) {
            return where
                    + ": they share, so requests/s tell of both together and latencies include waiting for the CPU.";
        }
        return where
                + (intersects(load, cores(server, siblings))
                        ? " (hardware threads of one core: they slow each other down)"
                        : "")
                + "; each process pinned before it started (sched_setaffinity, inherited by all its threads).";
    }

    private static boolean intersects(CpuList one, CpuList other) {
        return !one.without(other).equals(one);
    }

    private static CpuList cores(CpuList cpus, Siblings siblings) {
        return CpuList.of(cpus.cpus().flatMap(cpu -> siblings.of(cpu).cpus()).toArray());
    }
}

package org.cabrank.bench.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which CPUs the server and the load generator get.
 *
 * @param shared whether they have to share
 * @param explanation what was done, in words for the report
 */
record CpuPlan(List<Integer> server, List<Integer> load, boolean shared, String explanation) {

    /** More threads of the generator than one server CPU can answer help nobody. */
    private static final int LOAD_CPUS_MAX = 2;

    /**
     * Tells which CPUs are hardware threads of one core.
     */
    interface Siblings {
        /** All hardware threads of {@code cpu}'s core, {@code cpu} included. */
        Set<Integer> of(int cpu);
    }

    /**
     * Plans for a process that may use {@code allowed}; {@code server} and {@code load} are what the user wants, null for
     * the plan's own choice: the last CPU for the server (the first ones tend to serve interrupts), one or two others for
     * the load, on other cores where there are any.
     *
     * @throws IllegalArgumentException when the user wants a CPU that is not allowed
     */
    static CpuPlan of(List<Integer> allowed, List<Integer> server, List<Integer> load, Siblings siblings) {
        check("--server-cpus", server, allowed);
        check("--load-cpus", load, allowed);
        List<Integer> serverCpus = server != null ? server : chooseServer(allowed, load);
        List<Integer> loadCpus = load != null ? load : chooseLoad(allowed, serverCpus, siblings);
        boolean shared = loadCpus.stream().anyMatch(serverCpus::contains);
        return new CpuPlan(serverCpus, loadCpus, shared, explain(serverCpus, loadCpus, shared, siblings));
    }

    private static void check(String flag, List<Integer> wanted, List<Integer> allowed) {
        if (wanted != null && !allowed.containsAll(wanted)) {
            throw new IllegalArgumentException(
                    flag + " " + list(wanted) + ": this process may use only " + list(allowed));
        }
    }

    private static List<Integer> chooseServer(List<Integer> allowed, List<Integer> load) {
        List<Integer> free = new ArrayList<>(allowed);
        if (load != null) {
            free.removeAll(load);
        }
        List<Integer> from = free.isEmpty() ? allowed : free;
        return List.of(from.get(from.size() - 1));
    }

    private static List<Integer> chooseLoad(List<Integer> allowed, List<Integer> server, Siblings siblings) {
        List<Integer> others = new ArrayList<>(allowed);
        others.removeAll(server);
        List<Integer> otherCores = new ArrayList<>(others);
        server.forEach(cpu -> otherCores.removeAll(siblings.of(cpu)));
        List<Integer> from = !otherCores.isEmpty() ? otherCores : !others.isEmpty() ? others : allowed;
        return List.copyOf(from.subList(0, Math.min(LOAD_CPUS_MAX, from.size())));
    }

    private static String explain(List<Integer> server, List<Integer> load, boolean shared, Siblings siblings) {
        String where = "Server on CPU " + list(server) + ", load generator on CPU " + list(load);
        if (shared) {
            return where + ": they share, so requests/s tell of both together and latencies include waiting for the CPU.";
        }
        Set<Integer> serverCores = new TreeSet<>();
        server.forEach(cpu -> serverCores.addAll(siblings.of(cpu)));
        boolean oneCore = load.stream().anyMatch(serverCores::contains);
        return where
                + (oneCore ? " (hardware threads of one core: they slow each other down)" : "")
                + ", each process pinned before it started (sched_setaffinity, inherited by all its threads).";
    }

    /** The numbers as a CPU list: {@code 0,2,3}. */
    static String list(List<Integer> cpus) {
        return String.join(",", cpus.stream().map(String::valueOf).toList());
    }
}

package org.cabrank.affinity.topology;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;

/** Groups of online CPUs that share a core, a cluster, a cache or a package, from cpuN/topology and cpuN/cache of sysfs. */
record CpuDomains(Domains cores, Domains clusters, Domains l2, Domains l3, Domains packages) {
    static CpuDomains read(FileTree sysfs, CpuList online) {
        Domains packages = packages(sysfs, online);
        Domains cores = cores(sysfs, online, packages);
        Caches caches = Caches.read(sysfs, online);
        return new CpuDomains(cores, clusters(sysfs, online, cores), caches.l2(), caches.l3(), packages);
    }

    static String directory(int cpu) {
        return CpuPresence.CPUS + "/cpu" + cpu;
    }

    private static Domains packages(FileTree sysfs, CpuList online) {
        Domains packages = listed(sysfs, online, "topology/package_cpus", "topology/core_siblings");
        if (packages.isEmpty()) {
            packages = Domains.keyed(online, integers(sysfs, online, "topology/physical_package_id"));
        }
        CpuList unknown = packages.unknown();
        if (unknown.equals(online)) {
            sysfs.note(CpuPresence.CPUS, "does not show packages: all CPUs are taken for one");
        } else {
            unknown.cpus()
                    .forEach(cpu -> sysfs.note(
                            directory(cpu) + "/topology",
                            "does not show the CPU's package: those without are taken for one of their own"));
        }
        return packages.completed(List.of(unknown));
    }

    private static Domains cores(FileTree sysfs, CpuList online, Domains packages) {
        // The second name is that of kernels before 5.3, and still there.
        Domains cores = listed(sysfs, online, "topology/core_cpus", "topology/thread_siblings");
        if (cores.isEmpty()) {
            // A core's number is unique within its die only, and a die's within its package.
            Map<Integer, Integer> dies = integers(sysfs, online, "topology/die_id");
            Map<Integer, List<Integer>> keys = new HashMap<>();
            integers(sysfs, online, "topology/core_id")
                    .forEach((cpu, core) -> keys.put(cpu, List.of(packages.of(cpu), dies.getOrDefault(cpu, 0), core)));
            cores = Domains.keyed(online, keys);
        }
        CpuList unknown = cores.unknown();
        unknown.cpus()
                .forEach(cpu -> sysfs.note(
                        directory(cpu) + "/topology",
                        "does not show the CPU's core: it is taken for a core of its own"));
        return cores.completed(unknown.cpus().mapToObj(CpuList::of).toList());
    }

    /** The kernel has clusters since 5.16. Where hardware has none they are its cores, which are known already. */
    private static Domains clusters(FileTree sysfs, CpuList online, Domains cores) {
        Map<Integer, CpuList> shared = new HashMap<>();
        online.cpus()
                .forEach(cpu -> listOrMask(sysfs, directory(cpu) + "/topology/cluster_cpus")
                        .filter(cluster -> cores.members(cpu).without(cluster).isEmpty())
                        .filter(cluster -> !cluster.intersection(online).equals(cores.members(cpu)))
                        .ifPresent(cluster -> shared.put(cpu, cluster)));
        return Domains.shared(online, shared, cpu -> contradicted(sysfs, cpu, "topology/cluster_cpus_list"));
    }

    private static Domains listed(FileTree sysfs, CpuList online, String name, String olderName) {
        Map<Integer, CpuList> shared = new HashMap<>();
        online.cpus()
                .forEach(cpu -> listOrMask(sysfs, directory(cpu) + "/" + name)
                        .or(() -> listOrMask(sysfs, directory(cpu) + "/" + olderName))
                        .ifPresent(cpus -> shared.put(cpu, cpus)));
        return Domains.shared(online, shared, cpu -> contradicted(sysfs, cpu, name + "_list"));
    }

    private static Optional<CpuList> listOrMask(FileTree sysfs, String name) {
        return sysfs.listOrMask(name + "_list", name);
    }

    static void contradicted(FileTree sysfs, int cpu, String name) {
        sysfs.note(
                directory(cpu) + "/" + name,
                "leaves the CPU itself out, or is not that of the others which it names, so it is left out of account");
    }

    /** A negative number is the kernel's word for "unknown". */
    private static Map<Integer, Integer> integers(FileTree sysfs, CpuList online, String name) {
        Map<Integer, Integer> integers = new HashMap<>();
        online.cpus()
                .forEach(
                        cpu -> sysfs.integer(directory(cpu) + "/" + name).ifPresent(value -> integers.put(cpu, value)));
        integers.values().removeIf(value -> value < 0);
        return integers;
    }
}

package org.cabrank.affinity.topology;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;

/** Groups of online CPUs that share a core, a cluster, a cache or a package, from cpuN/topology and cpuN/cache of sysfs. */
record CpuDomains(Domains cores, Domains clusters, Domains l2, Domains l3, Domains packages) {
    private static final int L2 = 2;
    private static final int L3 = 3;

    /** Types of caches that form domains. Some L2 caches are divided into a data cache and an instruction cache. */
    private static final List<String> DATA_CACHES = List.of("Unified", "Data");

    static CpuDomains read(FileTree sysfs, CpuList online) {
        Domains packages = packages(sysfs, online);
        Domains cores = cores(sysfs, online, packages);
        Map<Integer, Map<Integer, String>> caches = caches(sysfs, online);
        return new CpuDomains(
                cores,
                clusters(sysfs, online, cores),
                sharing(sysfs, online, caches.getOrDefault(L2, Map.of())),
                sharing(sysfs, online, caches.getOrDefault(L3, Map.of())),
                packages);
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
        // Kernels before 5.3 have only the second name.
        Domains cores = listed(sysfs, online, "topology/core_cpus", "topology/thread_siblings");
        if (cores.isEmpty()) {
            // A core's number is unique only within its die, a die's number only within its package.
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

    /** Leaves out clusters of one core, which the kernel (since 5.16) shows if the hardware has no clusters. */
    private static Domains clusters(FileTree sysfs, CpuList online, Domains cores) {
        Map<Integer, CpuList> shared = new HashMap<>();
        online.cpus()
                .forEach(cpu -> listOrMask(sysfs, directory(cpu) + "/topology/cluster_cpus")
                        .filter(cluster -> cores.members(cpu).without(cluster).isEmpty())
                        .filter(cluster -> !cluster.intersection(online).equals(cores.members(cpu)))
                        .ifPresent(cluster -> shared.put(cpu, cluster)));
        return Domains.shared(online, shared, cpu -> contradicted(sysfs, cpu, "topology/cluster_cpus_list"));
    }

    /** Returns the directories of data caches in cpuN/cache. The first key is the cache level, the second the CPU. */
    private static Map<Integer, Map<Integer, String>> caches(FileTree sysfs, CpuList online) {
        Map<Integer, Map<Integer, String>> levels = new HashMap<>();
        online.cpus().forEach(cpu -> {
            String caches = directory(cpu) + "/cache";
            List<String> names = sysfs.names(caches);
            if (names.isEmpty()) {
                sysfs.note(caches, "is missing: which CPUs share caches is unknown");
            }
            for (String name : names) {
                String cache = caches + "/" + name;
                if (name.startsWith("index")
                        && DATA_CACHES.contains(sysfs.text(cache + "/type").orElse(""))) {
                    levels.computeIfAbsent(sysfs.integer(cache + "/level").orElse(0), none -> new HashMap<>())
                            .put(cpu, name);
                }
            }
        });
        return levels;
    }

    /** Groups CPUs by the caches' lists of CPUs. If no list is usable, groups by the caches' numbers, which are unique in a level. */
    private static Domains sharing(FileTree sysfs, CpuList online, Map<Integer, String> names) {
        Map<Integer, CpuList> shared = new HashMap<>();
        names.forEach((cpu, name) -> {
            String cache = directory(cpu) + "/cache/" + name;
            sysfs.listOrMask(cache + "/shared_cpu_list", cache + "/shared_cpu_map")
                    .ifPresent(cpus -> shared.put(cpu, cpus));
        });
        Domains domains = Domains.shared(
                online, shared, cpu -> contradicted(sysfs, cpu, "cache/" + names.get(cpu) + "/shared_cpu_list"));
        if (!domains.isEmpty()) {
            return domains;
        }
        Map<Integer, Integer> ids = new HashMap<>();
        names.forEach((cpu, name) ->
                sysfs.integer(directory(cpu) + "/cache/" + name + "/id").ifPresent(id -> ids.put(cpu, id)));
        return Domains.keyed(online, ids);
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

    private static void contradicted(FileTree sysfs, int cpu, String name) {
        sysfs.note(
                directory(cpu) + "/" + name,
                "leaves the CPU itself out, or is not that of the others which it names, so it is left out of account");
    }

    /** A negative number means "unknown". */
    private static Map<Integer, Integer> integers(FileTree sysfs, CpuList online, String name) {
        Map<Integer, Integer> integers = new HashMap<>();
        online.cpus()
                .forEach(
                        cpu -> sysfs.integer(directory(cpu) + "/" + name).ifPresent(value -> integers.put(cpu, value)));
        integers.values().removeIf(value -> value < 0);
        return integers;
    }
}

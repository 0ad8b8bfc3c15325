package org.cabrank.affinity.topology;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;

/**
 * Groups of online CPUs that share a cache, from cpuN/cache of sysfs. L1 caches are left out, because they belong to one
 * core.
 */
record Caches(Domains l2, Domains l3) {
    private static final int L2 = 2;
    private static final int L3 = 3;

    /** Some have their L2 divided; what only instructions go through is no domain of anything. */
    private static final List<String> DATA_CACHES = List.of("Unified", "Data");

    static Caches read(FileTree sysfs, CpuList online) {
        Map<Integer, Level> levels = Map.of(L2, Level.empty(), L3, Level.empty());
        online.cpus().forEach(cpu -> {
            String caches = CpuDomains.directory(cpu) + "/cache";
            List<String> names = sysfs.names(caches);
            if (names.isEmpty()) {
                sysfs.note(caches, "is missing: which CPUs share caches is unknown");
            }
            for (String name : names) {
                if (name.startsWith("index")) {
                    String cache = caches + "/" + name;
                    Level level = levels.get(sysfs.integer(cache + "/level").orElse(0));
                    if (level != null
                            && DATA_CACHES.contains(sysfs.text(cache + "/type").orElse(""))) {
                        level.add(sysfs, cpu, cache);
                    }
                }
            }
        });
        return new Caches(levels.get(L2).domains(sysfs, online), levels.get(L3).domains(sysfs, online));
    }

    /** Sharing and ids of the caches of one level, by CPU. */
    private record Level(Map<Integer, CpuList> shared, Map<Integer, Integer> ids, Map<Integer, String> names) {
        static Level empty() {
            return new Level(new HashMap<>(), new HashMap<>(), new HashMap<>());
        }

        void add(FileTree sysfs, int cpu, String cache) {
            names.put(cpu, cache.substring(cache.lastIndexOf('/') + 1));
            sysfs.listOrMask(cache + "/shared_cpu_list", cache + "/shared_cpu_map")
                    .ifPresent(cpus -> shared.put(cpu, cpus));
            sysfs.integer(cache + "/id").ifPresent(id -> ids.put(cpu, id));
        }

        /**
         * Returns the domains that the lists give. If no list is of use, the number of a cache serves instead, which is unique
         * among the caches of its level.
         */
        Domains domains(FileTree sysfs, CpuList online) {
            Domains domains = Domains.shared(
                    online,
                    shared,
                    cpu -> CpuDomains.contradicted(sysfs, cpu, "cache/" + names.get(cpu) + "/shared_cpu_list"));
            return domains.isEmpty() ? Domains.keyed(online, ids) : domains;
        }
    }
}

package org.cabrank.affinity.limits;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The group of a process in one hierarchy: a line of its cgroup file (cgroups(7), "/proc files").
 *
 * @param version 1 or 2
 * @param controllers of version 1
 */
record CgroupPath(int version, Set<String> controllers, String group) {
    private static final int FIELDS = 3;

    static List<CgroupPath> parse(String cgroup) {
        return cgroup.lines()
                .map(CgroupPath::parseLine)
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<CgroupPath> parseLine(String line) {
        String[] fields = line.split(":", FIELDS);
        if (fields.length < FIELDS || !fields[2].startsWith("/")) {
            return Optional.empty();
        }
        // Hierarchies that only name groups, such as systemd's, have "name=..." and limit nothing.
        return fields[1].isEmpty()
                ? Optional.of(new CgroupPath(2, Set.of(), fields[2]))
                : Optional.of(new CgroupPath(1, Set.of(fields[1].split(",")), fields[2]));
    }
}

package org.cabrank.affinity.limits;

import java.util.List;
import java.util.Optional;
import org.cabrank.affinity.CpuList;

/**
 * The CPUs and memory nodes that cgroups leave to a process. An empty list means unknown. {@code partition} is the text of the nearest
 * partition root, such as {@code isolated invalid (Cpu list in cpuset.cpus not exclusive)}, or "".
 */
record Cpuset(CpuList cpus, CpuList mems, String partition) {
    private static final String ISOLATED = "isolated";
    private static final String MEMBER = "member";

    /** The CPUs of an isolated partition (Linux 6.2). The scheduler does not balance threads between these CPUs. */
    CpuList isolated() {
        return partition.equals(ISOLATED) ? cpus : CpuList.of();
    }

    boolean invalid() {
        return partition.startsWith(ISOLATED + " ");
    }

    static Cpuset of(List<Cgroup> groups) {
        return new Cpuset(
                joined(groups, List.of("cpuset.cpus.effective"), List.of("cpuset.effective_cpus", "cpuset.cpus")),
                joined(groups, List.of("cpuset.mems.effective"), List.of("cpuset.effective_mems", "cpuset.mems")),
                partition(groups));
    }

    private static String partition(List<Cgroup> groups) {
        return groups.stream()
                .filter(group -> group.version() == 2)
                .flatMap(group -> group.texts("cpuset.cpus.partition"))
                .filter(partition -> !partition.equals(MEMBER))
                .findFirst()
                .orElse("");
    }

    /** Returns the numbers that are in the lists of all groups. Groups of hierarchies without the controller have no list. */
    private static CpuList joined(List<Cgroup> groups, List<String> ofVersion2, List<String> ofVersion1) {
        return groups.stream()
                .flatMap(group -> first(group, group.version() == 2 ? ofVersion2 : ofVersion1).stream())
                .reduce(CpuList::intersection)
                .orElse(CpuList.of());
    }

    /** Returns the list of the group, or of its nearest ancestor with the controller. */
    private static Optional<CpuList> first(Cgroup group, List<String> names) {
        return group.directories().stream()
                .flatMap(directory -> names.stream().map(name -> directory + name))
                .flatMap(file -> group.tree().list(file).stream())
                .filter(list -> !list.isEmpty())
                .findFirst();
    }
}

package org.cabrank.affinity.limits;

import java.util.List;
import java.util.Optional;
import org.cabrank.affinity.CpuList;

/** The CPUs and memory nodes that cgroups leave to a process; empty where none is known. */
record Cpuset(CpuList cpus, CpuList mems) {
    static Cpuset of(List<Cgroup> groups) {
        return new Cpuset(
                joined(groups, List.of("cpuset.cpus.effective"), List.of("cpuset.effective_cpus", "cpuset.cpus")),
                joined(groups, List.of("cpuset.mems.effective"), List.of("cpuset.effective_mems", "cpuset.mems")));
    }

    /** The controller is in one hierarchy only, and the others have no such files. */
    private static CpuList joined(List<Cgroup> groups, List<String> ofVersion2, List<String> ofVersion1) {
        return groups.stream()
                .flatMap(group -> first(group, group.version() == 2 ? ofVersion2 : ofVersion1).stream())
                .reduce(CpuList::intersection)
                .orElse(CpuList.of());
    }

    /** A group that the controller is not enabled for has what the nearest group above has. */
    private static Optional<CpuList> first(Cgroup group, List<String> names) {
        return group.directories().stream()
                .flatMap(directory -> names.stream().map(name -> directory + name))
                .flatMap(file -> group.tree().list(file).stream())
                .filter(list -> !list.isEmpty())
                .findFirst();
    }
}

package org.cabrank.affinity.limits;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.cabrank.affinity.files.FileTree;
import org.cabrank.affinity.files.Notes;
import org.cabrank.affinity.topology.TopologyReader;

/** Finds the groups of a process that may limit its CPUs. */
final class CgroupFinder {
    private static final Set<String> CONTROLLERS = Set.of("cpu", "cpuset");

    private static final Path ROOT = Path.of("/");

    private final Path sysfsRoot;
    private final FileTree process;
    private final Notes notes;

    /** @param process a process's directory of procfs */
    CgroupFinder(Path sysfsRoot, FileTree process, Notes notes) {
        this.sysfsRoot = sysfsRoot;
        this.process = process;
        this.notes = notes;
    }

    List<Cgroup> groups() {
        Optional<String> cgroup = process.raw("cgroup");
        Optional<String> mountinfo = process.raw("mountinfo");
        if (cgroup.isEmpty() || mountinfo.isEmpty()) {
            process.note(cgroup.isEmpty() ? "cgroup" : "mountinfo", "cannot be read: " + ProcessLimits.CGROUPS_UNKNOWN);
            return List.of();
        }
        List<CgroupMount> mounts = CgroupMount.parse(mountinfo.get());
        List<Cgroup> groups = new ArrayList<>();
        for (CgroupPath path : CgroupPath.parse(cgroup.get())) {
            if (path.version() == 2 || path.controllers().stream().anyMatch(CONTROLLERS::contains)) {
                found(path, mounts).ifPresent(groups::add);
            }
        }
        return groups;
    }

    private Optional<Cgroup> found(CgroupPath path, List<CgroupMount> mounts) {
        List<CgroupMount> hierarchy = mounts.stream()
                .filter(mount -> mount.is(path))
                // Of several mounts, the one that shows the most ancestors of the group.
                .sorted(Comparator.comparingInt(mount -> mount.root().length()))
                .toList();
        if (hierarchy.isEmpty()) {
            notes.add("the process is in the cgroup " + path.group() + " of "
                    + (path.version() == 2 ? "version 2" : String.join(",", path.controllers()))
                    + ", which is not mounted: " + ProcessLimits.CGROUPS_UNKNOWN);
            return Optional.empty();
        }
        for (CgroupMount mount : hierarchy) {
            Optional<String> below = mount.below(path.group());
            if (below.isPresent()) {
                return tree(mount).map(tree -> Cgroup.of(mount.version(), tree, below.get()));
            }
        }
        CgroupMount mount = hierarchy.get(0);
        notes.add("the process is in the cgroup " + path.group() + ", which " + mount.point()
                + " does not show: the limits of what it does show, " + mount.root() + ", are taken for the process's");
        return tree(mount).map(tree -> Cgroup.of(mount.version(), tree, ""));
    }

    /** Cgroups are mounted within sysfs nearly everywhere; elsewhere, a copy of sysfs has none of them. */
    private Optional<FileTree> tree(CgroupMount mount) {
        Path point = new FileTree(ROOT, notes).path(mount.point());
        if (point.startsWith(TopologyReader.SYSFS)) {
            Path within = TopologyReader.SYSFS.relativize(point);
            return Optional.of(new FileTree(sysfsRoot.resolve(within), notes));
        }
        if (sysfsRoot.equals(TopologyReader.SYSFS)) {
            return Optional.of(new FileTree(point, notes));
        }
        notes.add("cgroups are mounted at " + point + ", outside of sysfs, of which " + sysfsRoot + " is a copy: "
                + ProcessLimits.CGROUPS_UNKNOWN);
        return Optional.empty();
    }
}

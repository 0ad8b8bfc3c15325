package org.cabrank.affinity.limits;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.cabrank.affinity.files.FileTree;
import org.cabrank.affinity.files.Notes;
import org.cabrank.affinity.topology.TopologyReader;

/**
 * A group that a process is in and that may limit its CPUs, as seen in the file system.
 *
 * @param tree files of the hierarchy below its mount point
 * @param directories directories of the group and of all visible groups above it, the innermost first
 */
record Cgroup(int version, FileTree tree, List<String> directories) {
    private static final Set<String> CONTROLLERS = Set.of("cpu", "cpuset");
    private static final Path ROOT = Path.of("/");

    /** Texts of the files {@code name} of the group and its ancestors, the innermost first. */
    Stream<String> texts(String name) {
        return directories.stream().flatMap(directory -> tree.text(directory + name).stream());
    }

    static List<Cgroup> of(Path sysfsRoot, FileTree process, Notes notes) {
        Optional<String> cgroup = process.raw("cgroup");
        Optional<String> mountinfo = process.raw("mountinfo");
        if (cgroup.isEmpty() || mountinfo.isEmpty()) {
            process.note(cgroup.isEmpty() ? "cgroup" : "mountinfo", "cannot be read: " + ProcessLimits.CGROUPS_UNKNOWN);
            return List.of();
        }
        List<Mount> mounts = mountinfo
                .get()
                .lines()
                .flatMap(line -> Mount.parse(line).stream())
                .toList();
        return cgroup.get()
                .lines()
                .flatMap(line -> Member.parse(line).stream())
                .filter(member ->
                        member.version == 2 || member.controllers.stream().anyMatch(CONTROLLERS::contains))
                .flatMap(member -> found(member, mounts, sysfsRoot, notes).stream())
                .toList();
    }

    private static Optional<Cgroup> found(Member member, List<Mount> mounts, Path sysfsRoot, Notes notes) {
        List<Mount> hierarchy = mounts.stream()
                .filter(mount -> mount.has(member))
                // Prefers the mount that shows the most ancestors of the group.
                .sorted(Comparator.comparingInt(mount -> mount.root.length()))
                .toList();
        if (hierarchy.isEmpty()) {
            notes.add("the process is in the cgroup " + member.group + " of "
                    + (member.version == 2 ? "version 2" : String.join(",", member.controllers))
                    + ", which is not mounted: " + ProcessLimits.CGROUPS_UNKNOWN);
            return Optional.empty();
        }
        for (Mount mount : hierarchy) {
            Optional<String> below = mount.below(member.group);
            if (below.isPresent()) {
                return mount.group(below.get(), sysfsRoot, notes);
            }
        }
        Mount mount = hierarchy.get(0);
        notes.add("the process is in the cgroup " + member.group + ", which " + mount.point
                + " does not show: the limits of what it does show, " + mount.root + ", are taken for the process's");
        return mount.group("", sysfsRoot, notes);
    }

    /** The group of a process in one hierarchy: a line of its cgroup file (cgroups(7), "/proc files"). Only version 1 has controllers. */
    private record Member(int version, Set<String> controllers, String group) {
        private static final int FIELDS = 3;

        static Optional<Member> parse(String line) {
            String[] fields = line.split(":", FIELDS);
            if (fields.length < FIELDS || !fields[2].startsWith("/")) {
                return Optional.empty();
            }
            // Hierarchies that only name groups, such as systemd's, have "name=..." and limit nothing.
            return Optional.of(
                    fields[1].isEmpty()
                            ? new Member(2, Set.of(), fields[2])
                            : new Member(1, Set.of(fields[1].split(",")), fields[2]));
        }
    }

    /**
     * A line of mountinfo (proc_pid_mountinfo(5)): a mounted hierarchy of cgroups.
     *
     * @param root the group that appears at the mount point; not the root of the hierarchy if a container sees only its own part
     * @param controllers controllers of version 1; empty for version 2
     */
    private record Mount(String root, String point, int version, Set<String> controllers) {
        private static final int ROOT_FIELD = 3;
        private static final int POINT_FIELD = 4;
        private static final int FIELDS_MIN = 6;

        private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

        static Optional<Mount> parse(String line) {
            // Any number of optional fields precede the dash.
            int dash = line.indexOf(" - ");
            if (dash < 0) {
                return Optional.empty();
            }
            String[] mount = line.substring(0, dash).split(" ");
            String[] fileSystem = line.substring(dash + 3).split(" ");
            if (mount.length < FIELDS_MIN || fileSystem.length == 0 || !fileSystem[0].matches("cgroup2?")) {
                return Optional.empty();
            }
            int version = fileSystem[0].equals("cgroup2") ? 2 : 1;
            String options = fileSystem[fileSystem.length - 1];
            return Optional.of(new Mount(
                    unescaped(mount[ROOT_FIELD]),
                    unescaped(mount[POINT_FIELD]),
                    version,
                    version == 2 ? Set.of() : Set.copyOf(Arrays.asList(options.split(",")))));
        }

        private static String unescaped(String text) {
            return OCTAL.matcher(text)
                    .replaceAll(octal ->
                            Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(octal.group(1), 8))));
        }

        boolean has(Member member) {
            return member.version == version && (version == 2 || controllers.containsAll(member.controllers));
        }

        /** Path below the mount point, without a leading slash; empty if the group is not visible there. */
        Optional<String> below(String group) {
            String prefix = root.equals("/") ? "/" : root + "/";
            if (List.of(group.split("/")).contains("..") || !(group + "/").startsWith(prefix)) {
                return Optional.empty();
            }
            return Optional.of((group + "/").substring(prefix.length()).replaceFirst("/$", ""));
        }

        /** Cgroups are usually mounted below sysfs. If they are mounted elsewhere, a copy of sysfs does not contain them. */
        Optional<Cgroup> group(String below, Path sysfsRoot, Notes notes) {
            Path mounted = new FileTree(ROOT, notes).path(point);
            if (mounted.startsWith(TopologyReader.SYSFS)) {
                mounted = sysfsRoot.resolve(TopologyReader.SYSFS.relativize(mounted));
            } else if (!sysfsRoot.equals(TopologyReader.SYSFS)) {
                notes.add("cgroups are mounted at " + mounted + ", outside of sysfs, of which " + sysfsRoot
                        + " is a copy: " + ProcessLimits.CGROUPS_UNKNOWN);
                return Optional.empty();
            }
            List<String> directories = new ArrayList<>();
            for (String inner = below;
                    !inner.isEmpty();
                    inner = inner.substring(0, Math.max(0, inner.lastIndexOf('/')))) {
                directories.add(inner + "/");
            }
            directories.add("");
            return Optional.of(new Cgroup(version, new FileTree(mounted, notes), directories));
        }
    }
}

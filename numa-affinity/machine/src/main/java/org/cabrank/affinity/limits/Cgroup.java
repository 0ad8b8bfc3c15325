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
 * A cgroup that may limit the CPUs of a process. {@code tree} has the files below the mount point. The first of {@code directories} is
 * that of the group, and the next ones are those of all visible groups above it.
 */
record Cgroup(int version, FileTree tree, List<String> directories) {
    private static final Set<String> CONTROLLERS = Set.of("cpu", "cpuset");
    private static final Path ROOT = Path.of("/");

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

    /** The cgroup of a process in one hierarchy (cgroups(7), "/proc files"). {@code controllers} is empty for version 2. */
    private record Member(int version, Set<String> controllers, String group) {
        private static final int FIELDS = 3;

        static Optional<Member> parse(String line) {
            String[] fields = line.split(":", FIELDS);
            if (fields.length < FIELDS || !fields[2].startsWith("/")) {
                return Optional.empty();
            }
            // A hierarchy of version 1 that has "name=..." instead of controllers limits nothing.
            return Optional.of(
                    fields[1].isEmpty()
                            ? new Member(2, Set.of(), fields[2])
                            : new Member(1, Set.of(fields[1].split(",")), fields[2]));
        }
    }

    /**
     * A mounted hierarchy of cgroups, from a line of mountinfo (proc_pid_mountinfo(5)). {@code root} is the group at the mount point. In a
     * container, this group may be below the hierarchy's root. {@code controllers} is empty for version 2.
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

        /** Returns the path of the group below the mount point, without a leading slash. Empty if the group is not visible there. */
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

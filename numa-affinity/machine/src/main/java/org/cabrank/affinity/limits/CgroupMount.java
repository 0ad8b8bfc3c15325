package org.cabrank.affinity.limits;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A mounted hierarchy of cgroups: a line of mountinfo (proc_pid_mountinfo(5)).
 *
 * @param root the group that appears at the mount point; not the root of the hierarchy if a container sees only its own
 *     part
 * @param point the directory of the mount
 * @param version 1 or 2
 * @param controllers the controllers of a version 1 hierarchy
 */
record CgroupMount(String root, String point, int version, Set<String> controllers) {
    private static final int ROOT_FIELD = 3;
    private static final int POINT_FIELD = 4;
    private static final int FIELDS_MIN = 6;

    /** Space, tab, newline and backslash are written so. */
    private static final Pattern OCTAL = Pattern.compile("\\\\([0-7]{3})");

    static List<CgroupMount> parse(String mountinfo) {
        return mountinfo
                .lines()
                .map(CgroupMount::parseLine)
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<CgroupMount> parseLine(String line) {
        // Before the dash there are any number of optional fields.
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
        return Optional.of(new CgroupMount(
                unescaped(mount[ROOT_FIELD]),
                unescaped(mount[POINT_FIELD]),
                version,
                version == 2 ? Set.of() : Set.copyOf(Arrays.asList(options.split(",")))));
    }

    private static String unescaped(String text) {
        return OCTAL.matcher(text)
                .replaceAll(
                        octal -> Matcher.quoteReplacement(String.valueOf((char) Integer.parseInt(octal.group(1), 8))));
    }

    /** Returns true if {@code path}, a line of a process's cgroup file, belongs to this hierarchy. */
    boolean is(CgroupPath path) {
        return path.version() == version && (version == 2 || controllers.containsAll(path.controllers()));
    }

    /** A group's path below the mount point, without a slash at its beginning; empty where it cannot be seen there. */
    Optional<String> below(String group) {
        String prefix = root.equals("/") ? "/" : root + "/";
        if (List.of(group.split("/")).contains("..") || !(group + "/").startsWith(prefix)) {
            return Optional.empty();
        }
        return Optional.of((group + "/").substring(prefix.length()).replaceFirst("/$", ""));
    }
}

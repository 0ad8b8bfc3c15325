package org.cabrank.affinity.limits;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.files.FileTree;

/**
 * A group that a process is in, as seen in the file system.
 *
 * @param version 1 or 2
 * @param tree the hierarchy from where it is mounted
 * @param directories the group's and those of all groups above it that can be seen, the innermost first
 */
record Cgroup(int version, FileTree tree, List<String> directories) {
    /** @param group below the mount point, without a slash at its beginning */
    static Cgroup of(int version, FileTree tree, String group) {
        List<String> directories = new ArrayList<>();
        for (String inner = group; !inner.isEmpty(); inner = inner.substring(0, Math.max(0, inner.lastIndexOf('/')))) {
            directories.add(inner + "/");
        }
        directories.add("");
        return new Cgroup(version, tree, directories);
    }
}

package org.cabrank.bench.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Files of this process's cgroup and of the groups above it, where cgroups are mounted as systemd does. */
final class CgroupFiles {
    private static final String MOUNTED = "fs/cgroup/";

    private final KernelFiles files;

    CgroupFiles(KernelFiles files) {
        this.files = files;
    }

    /** The contents of files called {@code name}, of the innermost group first. */
    List<String> all(String controller, String name) {
        List<String> found = new ArrayList<>();
        for (String line : files.proc("self/cgroup").orElse("").lines().toList()) {
            String[] fields = line.split(":", 3);
            if (fields.length == 3) {
                hierarchy(fields[1], controller).ifPresent(root -> add(found, root, fields[2], name));
            }
        }
        return found;
    }

    /** The directory of a hierarchy: of version 2 where no controller is named; empty where it has other controllers. */
    private static Optional<String> hierarchy(String controllers, String controller) {
        if (controllers.isEmpty()) {
            return Optional.of("");
        }
        return List.of(controllers.split(",")).contains(controller) ? Optional.of(controllers + "/") : Optional.empty();
    }

    private void add(List<String> found, String root, String group, String name) {
        if (List.of(group.split("/")).contains("..")) {
            return;
        }
        for (String inner = group; ; inner = inner.substring(0, inner.lastIndexOf('/'))) {
            String directory = inner.replaceFirst("^/", "").replaceFirst("/$", "");
            files.sys(MOUNTED + root + (directory.isEmpty() ? "" : directory + "/") + name)
                    .ifPresent(found::add);
            if (directory.isEmpty() || !inner.contains("/")) {
                return;
            }
        }
    }
}

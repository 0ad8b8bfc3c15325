package org.cabrank.pinning.doctor;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Files of this process's cgroup and of its ancestors, for the mount points that systemd uses. */
final class CgroupFiles {
    private static final String MOUNTED = "fs/cgroup/";

    private final CheckContext context;

    CgroupFiles(CheckContext context) {
        this.context = context;
    }

    /** Returns the contents of the files {@code name}, the innermost group first. */
    List<String> all(String controller, String name) {
        List<String> found = new ArrayList<>();
        for (String line : context.procfs().text("self/cgroup").orElse("").lines().toList()) {
            String[] fields = line.split(":", 3);
            if (fields.length == 3) {
                hierarchy(fields[1], controller).ifPresent(root -> add(found, root, fields[2], name));
            }
        }
        return found;
    }

    /** Returns the directory of a hierarchy: version 2 if no controller is named; empty for other controllers. */
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
            context.sysfs().text(MOUNTED + root + (directory.isEmpty() ? "" : directory + "/") + name)
                    .ifPresent(found::add);
            if (directory.isEmpty() || !inner.contains("/")) {
                return;
            }
        }
    }
}

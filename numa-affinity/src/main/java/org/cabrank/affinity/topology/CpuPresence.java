package org.cabrank.affinity.topology;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;

/**
 * Which CPUs there are, and which of them are special.
 *
 * @param present at least one
 * @param online at least one, each of which is present
 */
record CpuPresence(CpuList present, CpuList online, CpuList isolated, CpuList nohzFull) {
    static final String CPUS = "devices/system/cpu";

    private static final Pattern CPU_NAME = Pattern.compile("cpu(\\d{1,4})");
    private static final Pattern CPUINFO_NUMBER = Pattern.compile("(?m)^processor\\s*:\\s*(\\d{1,4})\\s*$");

    /** What a kernel before 5.13 or so writes for no CPUs at all. */
    private static final String NULL_LIST = "(null)";

    static CpuPresence read(FileTree sysfs, FileTree procfs) {
        CpuList present = present(sysfs, procfs);
        CpuList online = online(sysfs, present);
        return new CpuPresence(present.union(online), online, special(sysfs, "isolated"), special(sysfs, "nohz_full"));
    }

    private static CpuList present(FileTree sysfs, FileTree procfs) {
        Optional<CpuList> told = notEmpty(sysfs.list(CPUS + "/present"));
        if (told.isPresent()) {
            return told.get();
        }
        CpuList named = CpuList.of(sysfs.names(CPUS).stream()
                .map(CPU_NAME::matcher)
                .filter(Matcher::matches)
                .mapToInt(name -> Integer.parseInt(name.group(1)))
                .filter(cpu -> cpu < CpuList.CPUS_MAX)
                .toArray());
        if (!named.isEmpty()) {
            sysfs.note(CPUS + "/present", "is of no use: CPUs are those that have a directory beside it, " + named);
            return named;
        }
        CpuList listed = CpuList.of(CPUINFO_NUMBER
                .matcher(procfs.text("cpuinfo").orElse(""))
                .results()
                .mapToInt(line -> Integer.parseInt(line.group(1)))
                .filter(cpu -> cpu < CpuList.CPUS_MAX)
                .toArray());
        if (!listed.isEmpty()) {
            sysfs.note(CPUS, "shows no CPU: CPUs are those of " + procfs.path("cpuinfo") + ", " + listed);
            return listed;
        }
        sysfs.note(
                CPUS,
                "shows no CPU, and neither does " + procfs.path("cpuinfo") + ": it is taken for a machine with CPU 0");
        return CpuList.of(0);
    }

    private static CpuList online(FileTree sysfs, CpuList present) {
        Optional<CpuList> told = notEmpty(sysfs.list(CPUS + "/online"));
        if (told.isPresent()) {
            return told.get();
        }
        // A CPU that cannot be taken offline, such as CPU 0 of most x86 machines, has no such file.
        CpuList offline = CpuList.of(present.cpus()
                .filter(cpu -> sysfs.integer(CPUS + "/cpu" + cpu + "/online").orElse(1) == 0)
                .toArray());
        CpuList online = present.without(offline);
        sysfs.note(
                CPUS + "/online",
                "is of no use: CPUs " + present + " count as online except those that say that they are not");
        return online.isEmpty() ? present : online;
    }

    /** Kernels that cannot have such CPUs do not have the file. */
    private static CpuList special(FileTree sysfs, String name) {
        String path = CPUS + "/" + name;
        return List.of("", NULL_LIST).contains(sysfs.text(path).orElse(""))
                ? CpuList.of()
                : sysfs.list(path).orElse(CpuList.of());
    }

    private static Optional<CpuList> notEmpty(Optional<CpuList> list) {
        return list.filter(cpus -> !cpus.isEmpty());
    }
}

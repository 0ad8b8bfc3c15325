package org.cabrank.affinity.topology;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;

/** Present CPUs, online CPUs, and CPUs with special roles. There is at least one present CPU and one online CPU. */
record CpuPresence(CpuList present, CpuList online, CpuList isolated, CpuList nohzFull) {
    static final String CPUS = "devices/system/cpu";

    private static final Pattern CPUINFO_NUMBER = Pattern.compile("(?m)^processor\\s*:\\s*(\\d{1,4})\\s*$");

    /** Text that kernels before about 5.13 write for an empty list of CPUs. */
    private static final String NULL_LIST = "(null)";

    private static final Pattern ALLOWED = Pattern.compile("(?m)^Cpus_allowed_list:\\s*(\\S+)\\s*$");

    /** @param affinityMask current mask of the process, as the kernel returns it. Empty if it is unknown */
    static CpuPresence read(FileTree sysfs, FileTree procfs, CpuList affinityMask) {
        CpuList present = present(sysfs, procfs);
        CpuList told = online(sysfs, present);
        CpuList hidden = affinityMask.isEmpty() ? hidden(sysfs, told, allowed(procfs)) : affinityMask.without(told);
        if (!hidden.isEmpty()) {
            sysfs.note(
                    CPUS + "/online",
                    "leaves out CPU " + hidden
                            + ", which the affinity mask has: the mask counts, and CPUs with files of their own"
                            + " (LXCFS shows containers such a file)");
        }
        CpuList online =
                hidden.isEmpty() ? told : described(sysfs, told.union(present)).union(hidden);
        return new CpuPresence(present.union(online), online, special(sysfs, "isolated"), special(sysfs, "nohz_full"));
    }

    private static CpuList present(FileTree sysfs, FileTree procfs) {
        Optional<CpuList> told = notEmpty(sysfs.list(CPUS + "/present"));
        if (told.isPresent()) {
            return told.get();
        }
        CpuList named = sysfs.numbered(CPUS, "cpu");
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
        // A CPU that cannot be taken offline, such as CPU 0 of most x86 machines, has no file "online" and counts as
        // online.
        CpuList online = present.filter(cpu -> isOnline(sysfs, cpu, true));
        sysfs.note(
                CPUS + "/online",
                "is of no use: CPUs " + present + " count as online except those that say that they are not");
        return online.isEmpty() ? present : online;
    }

    /** The mask of the status file (proc_pid_status(5)). The mask may have offline CPUs. */
    private static CpuList allowed(FileTree procfs) {
        // LimitsReader adds the note about a malformed mask.
        Matcher line = ALLOWED.matcher(procfs.text("self/status").orElse(""));
        try {
            return line.find() ? CpuList.parse(line.group(1)) : CpuList.of();
        } catch (IllegalArgumentException e) {
            return CpuList.of();
        }
    }

    /**
     * Returns online CPUs of the mask that the file {@code online} lacks. In a container, LXCFS (Proxmox, LXD) shows a file that numbers
     * CPUs from 0. A process always has a CPU to run on, so the file is wrong if it has no CPU of the mask.
     */
    private static CpuList hidden(FileTree sysfs, CpuList told, CpuList mask) {
        boolean contradiction = mask.intersection(told).isEmpty();
        return mask.without(told).filter(cpu -> isOnline(sysfs, cpu, contradiction));
    }

    /** Returns the CPUs whose own files show them as online. The kernel describes the topology of online CPUs only. */
    private static CpuList described(FileTree sysfs, CpuList cpus) {
        return cpus.filter(cpu -> isOnline(
                sysfs, cpu, !sysfs.names(CPUS + "/cpu" + cpu + "/topology").isEmpty()));
    }

    private static boolean isOnline(FileTree sysfs, int cpu, boolean otherwise) {
        return sysfs.integer(CPUS + "/cpu" + cpu + "/online").orElse(otherwise ? 1 : 0) != 0;
    }

    /** Returns an empty list if the file is missing, because kernels without special CPUs do not have it. */
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

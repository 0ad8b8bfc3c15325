package org.cabrank.affinity.limits;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.affinity.Affinity;
import org.cabrank.affinity.AffinityException;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;
import org.cabrank.affinity.files.Notes;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.affinity.topology.TopologyReader;
import org.cabrank.kernel.Kernel;

/** Reads the limits of this process, or of the process that is {@code self} in copies of sysfs and procfs. Thread-safe. */
public final class LimitsReader {
    private final Kernel kernel;
    private final Path sysfsRoot;
    private final Path procfsRoot;

    public LimitsReader(Kernel kernel) {
        this(kernel, TopologyReader.SYSFS, TopologyReader.PROCFS);
    }

    /** @param kernel called only if the roots are {@code /sys} and {@code /proc} */
    public LimitsReader(Kernel kernel, Path sysfsRoot, Path procfsRoot) {
        this.kernel = Objects.requireNonNull(kernel);
        this.sysfsRoot = Objects.requireNonNull(sysfsRoot);
        this.procfsRoot = Objects.requireNonNull(procfsRoot);
    }

    /** Reads the limits now. A file that cannot be read imposes no limit and is reported in {@link ProcessLimits#notes}. */
    public ProcessLimits read(Topology topology) {
        Notes notes = new Notes();
        FileTree process = new FileTree(procfsRoot.resolve("self"), notes);
        List<Cgroup> groups = Cgroup.of(sysfsRoot, process, notes);
        Cpuset cpuset = Cpuset.of(groups);
        CpuList mask = mask(process, topology, notes);
        CpuList usable = usable(mask, cpuset, topology, notes);
        Optional<QuotaLimit> quota = QuotaLimit.tightest(groups);
        ProcessLimits limits = new ProcessLimits(
                mask,
                cpuset.cpus(),
                cpuset.mems().isEmpty() ? allowed(process, "Mems").orElse(CpuList.of()) : cpuset.mems(),
                quota.map(QuotaLimit::cpus).orElse(ProcessLimits.NO_QUOTA),
                isHere() ? Runtime.getRuntime().availableProcessors() : 0,
                usable,
                cpuset.isolated().intersection(usable),
                CpuList.of(),
                List.of());
        LimitsExplained.explain(limits, topology, quota, notes);
        if (cpuset.invalid()) {
            notes.add("the cgroup's partition is not isolated as asked for: cpuset.cpus.partition is '"
                    + cpuset.partition() + "'");
        }
        return limits.with(notes.list());
    }

    public static List<String> cgroupFiles(Path sysfsRoot, Path procfsRoot, String name) {
        Notes unused = new Notes();
        FileTree process = new FileTree(procfsRoot.resolve("self"), unused);
        return Cgroup.of(sysfsRoot, process, unused).stream()
                .flatMap(group -> group.texts(name))
                .toList();
    }

    /**
     * Returns the tightest CPU quota of a process, in CPUs.
     *
     * @param process a process id or {@code self}
     */
    public static double cpuQuota(Path sysfsRoot, Path procfsRoot, String process) {
        Notes unused = new Notes();
        return QuotaLimit.tightest(Cgroup.of(sysfsRoot, new FileTree(procfsRoot.resolve(process), unused), unused))
                .map(QuotaLimit::cpus)
                .orElse(ProcessLimits.NO_QUOTA);
    }

    private boolean isHere() {
        return TopologyReader.isHere(sysfsRoot, procfsRoot);
    }

    private CpuList mask(FileTree process, Topology topology, Notes notes) {
        if (isHere()) {
            try {
                return new Affinity(kernel).ofProcess();
            } catch (AffinityException e) {
                notes.add(e.getMessage() + " (" + e.getCause().getMessage() + ")");
            }
        }
        return allowed(process, "Cpus").orElseGet(() -> {
            process.note("status", "does not tell the affinity mask: all CPUs that are online are taken for it");
            return topology.online();
        });
    }

    private static Optional<CpuList> allowed(FileTree process, String what) {
        return process.parsed("status", "no list in " + what + "_allowed_list", status -> {
                    Matcher line = Pattern.compile("(?m)^" + what + "_allowed_list:(.*)$")
                            .matcher(status);
                    return line.find() ? CpuList.parse(line.group(1)) : CpuList.of();
                })
                .filter(list -> !list.isEmpty());
    }

    private static CpuList usable(CpuList mask, Cpuset cpuset, Topology topology, Notes notes) {
        CpuList online = mask.intersection(topology.online());
        CpuList usable = cpuset.cpus().isEmpty() ? online : online.intersection(cpuset.cpus());
        if (!usable.isEmpty()) {
            return usable;
        }
        notes.add(String.format(
                Locale.ROOT,
                "no CPU is in the affinity mask (%s), in the cpuset (%s) and online (%s), which cannot be: the mask counts",
                mask,
                cpuset.cpus(),
                topology.online()));
        return mask;
    }
}

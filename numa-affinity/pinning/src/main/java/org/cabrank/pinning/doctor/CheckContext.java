package org.cabrank.pinning.doctor;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;
import org.cabrank.affinity.files.Notes;
import org.cabrank.affinity.limits.LimitsReader;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.topology.Topology;
import org.cabrank.pinning.MachineSnapshot;

/**
 * Input of the checks. {@code sysfsRoot} and {@code procfsRoot} have the files of this machine, or copies from another machine.
 *
 * @param plan plan of a placement, or null if there is no plan
 */
public record CheckContext(
        MachineSnapshot snapshot, PlacementPlan plan, Path sysfsRoot, Path procfsRoot, JvmFacts jvm, RingTrial ring) {
    static final String CPU = "devices/system/cpu/cpu";
    private static final int LIST_CHARACTERS_MAX = 60;

    public CheckContext {
        Objects.requireNonNull(snapshot);
        Objects.requireNonNull(jvm);
        Objects.requireNonNull(ring);
    }

    Topology topology() {
        return snapshot.topology();
    }

    ProcessLimits limits() {
        return snapshot.limits();
    }

    FileTree sysfs() {
        return new FileTree(sysfsRoot, new Notes());
    }

    FileTree procfs() {
        return new FileTree(procfsRoot, new Notes());
    }

    List<String> cgroupFiles(String name) {
        return LimitsReader.cgroupFiles(sysfsRoot, procfsRoot, name);
    }

    Map<String, CpuList> cpusByText(CpuList cpus, String name) {
        Map<String, CpuList> found = new TreeMap<>();
        cpus.cpus()
                .forEach(cpu -> sysfs().text(CPU + cpu + "/" + name)
                        .ifPresent(text -> found.merge(text, CpuList.of(cpu), CpuList::union)));
        return found;
    }

    static String brief(CpuList cpus) {
        return cpus.brief(LIST_CHARACTERS_MAX);
    }

    boolean isPinned() {
        return plan != null && !plan.cpus().isEmpty();
    }

    /** Returns the CPUs of the plan. If no plan pins threads, returns all usable CPUs. */
    CpuList shardCpus() {
        return isPinned() ? plan.cpus() : limits().usable();
    }
}

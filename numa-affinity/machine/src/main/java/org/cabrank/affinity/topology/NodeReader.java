package org.cabrank.affinity.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.affinity.CpuList;
import org.cabrank.affinity.files.FileTree;

final class NodeReader {
    private static final String NODES = "devices/system/node";
    private static final long KIB = 1024;

    private final FileTree sysfs;
    private final FileTree procfs;
    private final CpuList online;

    NodeReader(FileTree sysfs, FileTree procfs, CpuList online) {
        this.sysfs = sysfs;
        this.procfs = procfs;
        this.online = online;
    }

    List<MemoryNode> nodes() {
        int[] ids = ids().cpus().toArray();
        if (ids.length == 0) {
            // A kernel without CONFIG_NUMA does not have this directory, which is no error.
            sysfs.note(NODES, "shows no node: the machine is taken for one");
            String meminfo = procfs.text("meminfo").orElse("");
            return List.of(new MemoryNode(
                    0,
                    online,
                    bytes(meminfo, "MemTotal"),
                    bytes(meminfo, "MemFree"),
                    List.of(Topology.LOCAL_DISTANCE)));
        }
        List<MemoryNode> nodes = new ArrayList<>();
        for (int id : ids) {
            nodes.add(node(id, ids));
        }
        return nodes;
    }

    private CpuList ids() {
        Optional<CpuList> told = sysfs.list(NODES + "/online").filter(ids -> !ids.isEmpty());
        return told.orElseGet(() -> sysfs.numbered(NODES, "node"));
    }

    private OptionalInt linkedNode(int cpu) {
        return sysfs.numbered(CpuDomains.directory(cpu), "node").cpus().findFirst();
    }

    private MemoryNode node(int id, int[] ids) {
        String directory = NODES + "/node" + id;
        Optional<CpuList> cpus = sysfs.listOrMask(directory + "/cpulist", directory + "/cpumap");
        if (cpus.isEmpty()) {
            sysfs.note(
                    directory + "/cpulist",
                    "is of no use: " + (ids.length == 1 ? "all CPUs are" : "no CPU is") + " taken for this node's");
        }
        String meminfo = sysfs.text(directory + "/meminfo").orElse("");
        if (bytes(meminfo, "MemTotal") < 0) {
            sysfs.note(directory + "/meminfo", "is of no use: how much memory there is is unknown");
        }
        return new MemoryNode(
                id,
                cpus.orElse(ids.length == 1 ? online : CpuList.of()).intersection(online),
                bytes(meminfo, "MemTotal"),
                bytes(meminfo, "MemFree"),
                distances(directory + "/distance", id, ids));
    }

    private List<Integer> distances(String path, int id, int[] ids) {
        List<Integer> distances = new ArrayList<>();
        Matcher number = Pattern.compile("\\d{1,3}").matcher(sysfs.text(path).orElse(""));
        while (number.find()) {
            distances.add(Integer.parseInt(number.group()));
        }
        if (distances.size() == ids.length) {
            return distances;
        }
        sysfs.note(
                path,
                "is of no use: a node's distance is taken for " + Topology.LOCAL_DISTANCE + " to itself and "
                        + Topology.REMOTE_DISTANCE + " to others");
        return Arrays.stream(ids)
                .mapToObj(other -> other == id ? Topology.LOCAL_DISTANCE : Topology.REMOTE_DISTANCE)
                .toList();
    }

    /** Parses a line such as {@code Node 0 MemTotal: 1024 kB}. Returns -1 if there is no such line. */
    private static long bytes(String meminfo, String name) {
        Matcher line = Pattern.compile("(?m)^(?:Node\\s+\\d+\\s+)?" + name + ":\\s+(\\d{1,15})\\s+kB")
                .matcher(meminfo);
        OptionalLong kib = line.find() ? OptionalLong.of(Long.parseLong(line.group(1))) : OptionalLong.empty();
        return kib.isPresent() ? kib.getAsLong() * KIB : -1;
    }

    Map<Integer, Integer> nodeOfCpus(List<MemoryNode> nodes) {
        Map<Integer, Integer> nodeOfCpus = new HashMap<>();
        CpuList shared = CpuList.of();
        for (MemoryNode node : nodes) {
            CpuList known = CpuList.of(nodeOfCpus.keySet());
            shared = shared.union(node.cpus().intersection(known));
            node.cpus().without(known).cpus().forEach(cpu -> nodeOfCpus.put(cpu, node.id()));
        }
        if (!shared.isEmpty()) {
            sysfs.note(
                    NODES,
                    "shows CPU " + shared + " on several nodes (numa=fake, or a faulty table of the firmware): each"
                            + " is taken for that of the node which its own directory names, and no memory is bound");
            shared.cpus().forEach(cpu -> linkedNode(cpu).ifPresent(node -> nodeOfCpus.put(cpu, node)));
        }
        online.cpus()
                .filter(cpu -> !nodeOfCpus.containsKey(cpu))
                .forEach(cpu -> sysfs.note(CpuPresence.CPUS + "/cpu" + cpu, "is on no node"));
        return nodeOfCpus;
    }
}

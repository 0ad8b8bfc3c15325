package org.cabrank.bench.run;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.report.BenchReport.Machine;

record MachineFacts(Path root) {

    private static final String UNKNOWN = "unknown";

    static MachineFacts ofThisMachine() {
        return new MachineFacts(Path.of("/"));
    }

    Machine machine() {
        return new Machine(
                text("proc/sys/kernel/osrelease"),
                System.getProperty("os.arch"),
                cpuModel(text("proc/cpuinfo")),
                text("sys/devices/system/cpu/online"),
                memoryKb(text("proc/meminfo")));
    }

    /** Returns the hardware threads of the core of {@code cpu}. If they are unknown, returns only {@code cpu}. */
    CpuList siblings(int cpu) {
        String list = text("sys/devices/system/cpu/cpu" + cpu + "/topology/thread_siblings_list");
        return list.equals(UNKNOWN) ? CpuList.of(cpu) : CpuList.parse(list);
    }

    /** On x86, the kernel reports the model's name. On Arm, it reports numbers. */
    private static String cpuModel(String cpuinfo) {
        String model = field(cpuinfo, "model name");
        return model.equals(UNKNOWN)
                ? "implementer " + field(cpuinfo, "CPU implementer") + " part " + field(cpuinfo, "CPU part")
                : model;
    }

    private static long memoryKb(String meminfo) {
        String total = field(meminfo, "MemTotal");
        return total.equals(UNKNOWN) ? 0 : Long.parseLong(total.substring(0, total.indexOf(' ')));
    }

    private static String field(String text, String name) {
        for (String line : text.split("\n")) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).strip().equals(name)) {
                return line.substring(colon + 1).strip();
            }
        }
        return UNKNOWN;
    }

    private String text(String file) {
        try {
            return Files.readString(root.resolve(file), StandardCharsets.ISO_8859_1)
                    .strip();
        } catch (IOException notThere) {
            // Some kernels and containers hide files.
            return UNKNOWN;
        }
    }
}

package org.cabrank.affinity.topology;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.affinity.files.FileTree;

final class MachineReader {
    /** Names of Arm processors in servers and common boards. The key has the numbers of implementer and part (register MIDR_EL1). */
    private static final Map<String, String> ARM_PARTS = Map.ofEntries(
            Map.entry("0x41/0xd03", "Arm Cortex-A53"),
            Map.entry("0x41/0xd05", "Arm Cortex-A55"),
            Map.entry("0x41/0xd08", "Arm Cortex-A72"),
            Map.entry("0x41/0xd0b", "Arm Cortex-A76"),
            Map.entry("0x41/0xd0c", "Arm Neoverse-N1"),
            Map.entry("0x41/0xd40", "Arm Neoverse-V1"),
            Map.entry("0x41/0xd49", "Arm Neoverse-N2"),
            Map.entry("0x41/0xd4f", "Arm Neoverse-V2"),
            Map.entry("0x48/0xd01", "HiSilicon Kunpeng-920"),
            Map.entry("0xc0/0xac3", "Ampere-1"));

    private final FileTree procfs;

    MachineReader(FileTree procfs) {
        this.procfs = procfs;
    }

    MachineInfo machine() {
        String cpuinfo = procfs.text("cpuinfo").orElse("");
        return new MachineInfo(
                // Reported by the kernel since 6.1.
                procfs.text("sys/kernel/arch").orElseGet(() -> architecture(cpuinfo)),
                procfs.text("sys/kernel/osrelease").orElse(""),
                modelName(cpuinfo));
    }

    private static String architecture(String cpuinfo) {
        if (field(cpuinfo, "vendor_id").isPresent() && field(cpuinfo, "flags").isPresent()) {
            return "x86_64";
        }
        if (field(cpuinfo, "CPU implementer").isEmpty()) {
            return "";
        }
        // ARMv7 and older processors report an architecture of at most 7. A 32-bit kernel reports its hardware.
        boolean bits32 = field(cpuinfo, "CPU architecture")
                        .filter(version -> !version.startsWith("8"))
                        .isPresent()
                || field(cpuinfo, "Hardware").isPresent()
                || field(cpuinfo, "model name")
                        .filter(name -> name.startsWith("ARMv7"))
                        .isPresent();
        return bits32 ? "arm" : "aarch64";
    }

    private static String modelName(String cpuinfo) {
        return field(cpuinfo, "model name")
                .orElseGet(() -> field(cpuinfo, "CPU part")
                        .map(part -> armName(field(cpuinfo, "CPU implementer").orElse(""), part))
                        .orElse(""));
    }

    private static String armName(String implementer, String part) {
        return ARM_PARTS.getOrDefault(implementer + "/" + part, "Arm implementer " + implementer + ", part " + part);
    }

    private static Optional<String> field(String cpuinfo, String name) {
        Matcher line = Pattern.compile("(?m)^" + Pattern.quote(name) + "[ \\t]*:[ \\t]*(.*)$")
                .matcher(cpuinfo);
        return line.find() ? Optional.of(line.group(1).strip()) : Optional.empty();
    }
}

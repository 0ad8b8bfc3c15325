package org.cabrank.bench.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.pinning.doctor.Finding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A setting that costs a service its speed or its connections has a finding with a remedy. Other settings have no finding. */
class StartFindingsTest {
    private static List<String> findings(boolean tls, int threads, long connections, double quota, long descriptors) {
        List<Finding> findings = StartFindings.of(
                new StartFindings.Facts(tls, threads, connections, new ProcessFacts(quota, descriptors)));
        findings.forEach(finding -> assertTrue(!finding.remedy().isEmpty()));
        return findings.stream().map(Finding::id).toList();
    }

    @Test
    void eachSettingThatWillHurtHasItsFinding() {
        assertEquals(List.of(), findings(true, 16, 768, 1, 1_024));
        assertEquals(List.of(), findings(false, 1, 0, ProcessLimits.NO_QUOTA, Long.MAX_VALUE));
        assertEquals(List.of("tls-threads"), findings(true, 1, 0, 2, 1_024));
        assertEquals(List.of("cpu-share"), findings(true, 16, 0, 0.5, 1_024));
        assertEquals(List.of("connection-descriptors"), findings(true, 16, 1_024, 2, 1_024));
        assertEquals(
                List.of("tls-threads", "cpu-share", "connection-descriptors"), findings(true, 1, 20_000, 0.25, 1_024));
    }

    @Test
    void limitsOfAProcessAreRead(@TempDir Path root) throws Exception {
        Path process = Files.createDirectories(root.resolve("proc/7"));
        Files.writeString(
                process.resolve("limits"), "Max open files            4096                 524288    files\n");
        Files.writeString(process.resolve("cgroup"), "0::/service\n");
        Files.writeString(
                process.resolve("mountinfo"), "30 20 0:26 / /sys/fs/cgroup rw shared:9 - cgroup2 cgroup rw\n");
        Path group = Files.createDirectories(root.resolve("sys/fs/cgroup/service"));
        Files.writeString(group.resolve("cpu.max"), "50000 100000\n");
        assertEquals(new ProcessFacts(0.5, 4_096), ProcessFacts.of(root.resolve("sys"), root.resolve("proc"), "7"));
        assertEquals(Long.MAX_VALUE, ProcessFacts.of(root, root, "8").descriptors());
    }
}

package org.cabrank.bench.attach;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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

    private static List<Finding> findings(String backend, long ofReactor, long ofListeners) {
        BeanValues pool = new BeanValues("org.cabrank:type=Pool,name=a", Map.of("ThreadsMax", 16));
        BeanValues reactor = new BeanValues(
                "org.cabrank:type=Reactor,name=a",
                Map.of("Backend", backend, "ConnectionsLimit", ofReactor, "ListenersConnectionsLimit", ofListeners));
        return StartFindings.of(
                new ServerBeans(0, List.of(pool), List.of(), List.of(reactor), List.of()), new ProcessFacts(2, 1_024));
    }

    @Test
    void limitOfTheListenersOfARunningServerIsCompared() {
        assertEquals(List.of(), findings("epoll, panama [the first by rank that works here]", 768, 0));
        assertEquals(
                "connection-descriptors",
                findings("epoll, panama", 768, 2_000).get(0).id());
    }

    @Test
    void ringThatWasRefusedToARunningServerHasItsRemedy() {
        Finding refused = findings(
                        "epoll, panama [io_uring: no memory for a ring of 64 submissions and 256 completions: raise"
                                + " RLIMIT_MEMLOCK (now 4096 bytes; ulimit -l, LimitMEMLOCK= of systemd), which some kernels"
                                + " charge it to (io_uring_setup: ENOMEM)]\nmore",
                        768,
                        0)
                .get(0);
        assertEquals("io-uring", refused.id());
        assertTrue(refused.finding().startsWith("no memory for a ring of 64"), refused.finding());
        assertTrue(refused.remedy().endsWith("(io_uring_setup: ENOMEM)"), refused.remedy());
        assertTrue((refused.finding() + refused.remedy()).contains("ulimit -l"));
        assertEquals(
                List.of(),
                findings(
                        "epoll, panama [iouring is not chosen for a shard that grows: epoll is the default there]",
                        768,
                        0));
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

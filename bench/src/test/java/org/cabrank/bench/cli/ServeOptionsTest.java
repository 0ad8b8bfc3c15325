package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Set;
import javax.management.JMException;
import javax.management.ObjectName;
import org.cabrank.bench.text.Durations;
import org.cabrank.iouring.RingOptions;
import org.cabrank.lf.stream.BackendUnavailableException;
import org.cabrank.lf.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** What the flags of a server make of it, where that can be seen from inside only. */
final class ServeOptionsTest {

    @Command
    private static final class AnyServer {
        @Mixin
        private ServeOptions options;
    }

    private static ServeOptions parse(String... flags) {
        AnyServer command = new AnyServer();
        new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Duration.class, Durations::parse)
                .parseArgs(flags);
        return command.options;
    }

    private static StreamServer start(String... flags) throws Exception {
        return parse(flags)
                .configure(Duration.ZERO)
                .name("flags")
                .listen("127.0.0.1", 0)
                .handler(() -> (connection, data) -> connection.write(data))
                .start();
    }

    private static Set<ObjectName> shown() throws JMException {
        return ManagementFactory.getPlatformMBeanServer()
                .queryNames(new ObjectName("org.cabrank:type=Pool,name=flags,*"), null);
    }

    @Test
    void jmxShowsEveryShard() throws Exception {
        try (StreamServer server = start("--jmx", "--shards", "3")) {
            assertEquals(server.reactor().pools().size(), shown().size());
        }
        assertEquals(Set.of(), shown());
    }

    @Test
    void withoutTheFlagNothingIsShown() throws Exception {
        try (StreamServer server = start()) {
            assertEquals(1, server.reactor().pools().size());
            assertEquals(Set.of(), shown());
        }
    }

    @Test
    void ringsAreMadeAsTheirFlagsSay() throws Exception {
        try (StreamServer server = start(
                "--backend", "iouring", "--ring-entries", "64", "--ring-completions", "256", "--ring-buffers", "8")) {
            String description = server.reactor().backendDescription();
            assertTrue(description.contains("64 submissions, 256 completions"), description);
        } catch (BackendUnavailableException notHere) {
            throw new TestAbortedException(notHere.getMessage(), notHere);
        }
    }

    @Test
    void everyFlagOfARingReachesItsOption() {
        ServeOptions options = parse(
                "--ring-entries=64",
                "--ring-completions=256",
                "--ring-buffers=8",
                "--ring-buffer-size=4k",
                "--ring-incremental",
                "--ring-bundles",
                "--ring-prompt",
                "--ring-zero-copy=64k",
                "--ring-sqpoll=50ms",
                "--ring-sqpoll-cpu=1",
                "--ring-napi=20us",
                "--ring-batch=16",
                "--ring-batch-wait=100us");
        assertEquals(
                RingOptions.DEFAULT
                        .withEntries(64, 256)
                        .withReceiveBuffers(8, 4_096)
                        .withIncremental(true)
                        .withBundles(true)
                        .withPrompt(true)
                        .withZeroCopyBytes(64 << 10)
                        .withSqPoll(Duration.ofMillis(50), 1)
                        .withNapiBusyPoll(Duration.ofNanos(20_000))
                        .withBatch(16, Duration.ofNanos(100_000)),
                options.ring().options());
    }

    @Test
    void zeroCopyCanBeSwitchedOff() {
        ServeOptions options = parse("--ring-zero-copy=off");
        assertEquals(RingOptions.DEFAULT, options.ring().options());
        assertEquals("--ring-zero-copy", options.ring().firstGiven());
    }

    @Test
    void whatRingOptionsRefuseIsSaidInTheFlagsNamesAndUnits() {
        assertEquals(
                "a --ring-batch of 2 and a --ring-batch-wait of 1.5s, but the --ring-buffer-size is 200us",
                RingOptionsMixin.inWordsOfTheCommandLine(
                        "a batch of 2 and a batchWait of PT1.5S, but the receiveBufferBytes is PT0.0002S"));
    }
}

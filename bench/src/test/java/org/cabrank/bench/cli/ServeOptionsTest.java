package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Set;
import javax.management.JMException;
import javax.management.ObjectName;
import org.cabrank.bench.text.Durations;
import org.cabrank.lf.stream.StreamServer;
import org.junit.jupiter.api.Test;
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

    private static StreamServer start(String... flags) throws Exception {
        AnyServer command = new AnyServer();
        new CommandLine(command)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Duration.class, Durations::parse)
                .parseArgs(flags);
        return command.options
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
}

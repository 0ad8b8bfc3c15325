package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import javax.management.ObjectName;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.handler.RequestCounter;
import org.cabrank.bench.live.Totals;
import org.cabrank.bench.serve.ServerBean;
import org.cabrank.bench.text.Durations;
import org.cabrank.epoll.EpollOptions;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.stream.AcceptRate;
import org.cabrank.stream.BackendUnavailableException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Effects of the flags of a server that are visible only from inside. */
@Once
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

    /** Closes its connection at once, and reports the beginning and the end by its name. */
    private record Closing(String name, BlockingQueue<String> reports) implements ConnectionHandler {
        @Override
        public void opened(Connection connection) {
            connection.close();
            reports.add(name + " closes");
        }

        @Override
        public void data(Connection connection, ByteBuffer data) {
            data.position(data.limit());
        }

        @Override
        public void closed(Connection connection, Throwable cause) {
            reports.add(name + " ends");
        }
    }

    /** Of two connections whose peers do not end their side, the one with the shorter limit ends first, though it is closed last. */
    @Test
    void aPeerThatStandsStillHasTheTimeOfTheFlags() throws Exception {
        for (String flag : List.of("timeout.close=", "timeout.closeTotal=")) {
            BlockingQueue<String> reports = new LinkedBlockingQueue<>();
            try (StreamServer patient = startClosing(new Closing("patient", reports), flag, "10min");
                    StreamServer brief = startClosing(new Closing("brief", reports), flag, "1s");
                    Socket first = new Socket(InetAddress.getLoopbackAddress(), patient.port())) {
                assertEquals("patient closes", reports.poll(120, TimeUnit.SECONDS));
                assertEquals(-1, first.getInputStream().read());
                try (Socket second = new Socket(InetAddress.getLoopbackAddress(), brief.port())) {
                    assertEquals("brief closes", reports.poll(120, TimeUnit.SECONDS));
                    assertEquals(-1, second.getInputStream().read());
                    assertEquals("brief ends", reports.poll(120, TimeUnit.SECONDS));
                }
            }
        }
    }

    private static StreamServer startClosing(Closing handler, String flag, String time) throws Exception {
        String other = flag.equals("timeout.close=") ? "timeout.closeTotal=" : "timeout.close=";
        return parse("--set", flag + time, "--set", other + "10min", "--drain-timeout", "0s")
                .configure(Duration.ZERO)
                .listen("127.0.0.1", 0)
                .handler(() -> handler)
                .start();
    }

    @Test
    void withoutTheFlagNothingIsShown() throws Exception {
        try (StreamServer server = start()) {
            assertEquals(1, server.reactor().pools().size());
            assertEquals(Set.of(), shown());
        }
    }

    @Test
    void latencyIsMeasuredWhereItIsShown() throws Exception {
        try (StreamServer server = start("--jmx")) {
            assertEquals(1, server.reactor().pools().size());
            assertEquals(List.of(true), attributes("LatencyMeasured"));
        }
    }

    private static List<Object> attributes(String name) throws JMException {
        List<Object> values = new ArrayList<>();
        for (ObjectName pool : shown()) {
            values.add(ManagementFactory.getPlatformMBeanServer().getAttribute(pool, name));
        }
        return values;
    }

    @Test
    void connectionsBeyondTheirLimitsAreReset() throws Exception {
        for (String flag : List.of("--max-connections=1", "--set=serve.connectionsPerPeerMax=1")) {
            try (StreamServer server = start(flag);
                    Socket first = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                first.getOutputStream().write(1);
                assertEquals(1, first.getInputStream().read());
                assertThrows(IOException.class, () -> {
                    try (Socket second = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                        second.getOutputStream().write(1);
                        if (second.getInputStream().read() < 0) {
                            throw new IOException("closed");
                        }
                    }
                });
                assertEquals(1, server.reactor().counters().overLimit(), flag);
                String totals = Totals.of(server.reactor(), new RequestCounter());
                assertTrue(totals.endsWith(", 1 connection refused at a limit"), totals);
            }
        }
    }

    @Test
    void connectionsBeyondTheAcceptRateWait() throws Exception {
        try (StreamServer server = start("--set", "serve.acceptRate=20")) {
            assertEquals(new AcceptRate(20, 2), server.listener().options().acceptRate());
            for (int i = 0; i < 4; i++) {
                try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
                    client.getOutputStream().write(1);
                    assertEquals(1, client.getInputStream().read());
                }
            }
            long pauses = server.reactor().counters().ratePauses();
            assertTrue(pauses > 0);
            String totals = Totals.of(server.reactor(), new RequestCounter());
            assertTrue(totals.endsWith(" for the accept rate"), totals);
        }
        try (StreamServer server = start("--set", "serve.acceptRate=2000")) {
            assertEquals(new AcceptRate(2000, 200), server.listener().options().acceptRate());
        }
    }

    @Test
    void requestsAreShownToo() throws Exception {
        RequestCounter requests = new RequestCounter();
        HandlerWork.NONE.countedBy(requests).perform();
        new ServerBean("echo", requests).show("requests");
        ObjectName name = new ObjectName("org.cabrank:type=Server,name=requests");
        assertEquals(1L, ManagementFactory.getPlatformMBeanServer().getAttribute(name, "Requests"));
        assertEquals("echo", ManagementFactory.getPlatformMBeanServer().getAttribute(name, "Protocol"));
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    }

    @Test
    void ringsAreMadeAsTheirFlagsSay() throws Exception {
        try (StreamServer server = start(
                "--backend", "iouring", "--set", "ring.submissionEntries=64", "--set", "ring.completionEntries=256")) {
            String description = server.reactor().backendDescription();
            assertTrue(description.contains("64 submissions, 256 completions"), description);
        } catch (BackendUnavailableException notHere) {
            throw new TestAbortedException(notHere.getMessage(), notHere);
        }
    }

    @Test
    void everyFlagOfEpollReachesItsOption() throws Exception {
        NamedSettings settings =
                settings("epoll.busyPoll=20us", "epoll.busyPollBudget=32", "epoll.preferBusyPoll=true");
        assertEquals(
                EpollOptions.DEFAULT
                        .withBusyPoll(Duration.ofNanos(20_000))
                        .withBusyPollBudget(32)
                        .withPreferBusyPoll(true),
                settings.of(NamedSettings.EPOLL, EpollOptions.DEFAULT));
        try (StreamServer server = start("--backend", "epoll", "--set", "epoll.busyPoll=20us")) {
            String description = server.reactor().backendDescription();
            assertTrue(description.contains("busy polling for 20 us, up to 8 packets"), description);
        } catch (BackendUnavailableException notHere) {
            throw new TestAbortedException(notHere.getMessage(), notHere);
        }
    }

    @Test
    void settingsOfARingReachTheirOptions() {
        NamedSettings settings = settings(
                "ring.submissionEntries=64",
                "ring.completionEntries=256",
                "ring.bundles=false",
                "ring.receiveBufferBytes=8k",
                "ring.batch=8",
                "ring.batchWait=100us");
        assertEquals(
                RingOptions.DEFAULT
                        .withEntries(64, 256)
                        .withBundles(false)
                        .withReceiveBuffers(4_096, 8 << 10)
                        .withBatch(8, Duration.ofNanos(100_000)),
                settings.of(NamedSettings.RING, RingOptions.DEFAULT));
    }

    @Test
    void settingsOfServersAndDatagramsReachTheirRecords() {
        NamedSettings settings =
                settings("serve.scheduling=nice:5", "serve.drainGrace=2s", "datagram.receiveBufferBytes=1m");
        ServeSettings serve = settings.of(NamedSettings.SERVE, ServeSettings.DEFAULT);
        assertEquals("nice:5", serve.policy().toString());
        assertEquals(Duration.ofSeconds(2), serve.drainGrace());
        DatagramSettings datagrams = settings.of(NamedSettings.DATAGRAM, DatagramSettings.DEFAULT);
        assertEquals(new DatagramSettings(32, 1 << 20), datagrams);
    }

    private static NamedSettings settings(String... values) {
        return parse(Arrays.stream(values).map(value -> "--set=" + value).toArray(String[]::new))
                .settings();
    }

    @Test
    void flagsForABalancerAreChecked() {
        assertEquals(null, parse().balancer().proxyProtocol());
        assertEquals(
                0,
                parse("--proxy-protocol").balancer().proxyProtocol().counters().served());
        IllegalArgumentException noBlock = assertThrows(
                IllegalArgumentException.class,
                () -> parse("--proxy-protocol", "10.0.0.0/8,proxy").balancer().proxyProtocol());
        assertEquals(
                "--proxy-protocol: 'proxy' does not begin with an IP address; a block is written as 10.0.0.0/8, fd00::/8 or"
                        + " ::1",
                noBlock.getMessage());
        IllegalArgumentException tooLong = assertThrows(
                IllegalArgumentException.class,
                () -> parse("--drain-delay", "3601s").configure(Duration.ZERO));
        assertEquals("--drain-delay must be at most 3600s, but is 3601s", tooLong.getMessage());
    }
}

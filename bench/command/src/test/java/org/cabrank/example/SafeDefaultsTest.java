package org.cabrank.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.http.HttpTimeouts;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.proxy.ProxyProtocol;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.StreamTimeouts;
import org.junit.jupiter.api.Test;

/** Each default of a public service has its row, with a reason, in one table, and is as the row says. */
class SafeDefaultsTest {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent().getParent();

    /** Defaults of the table by resource. */
    private static Map<String, String> table() throws IOException {
        String page = Files.readString(ROOT.resolve("lf-pool/README.md"));
        Map<String, String> defaults = new LinkedHashMap<>();
        page.substring(page.indexOf("\n| resource | default | reason |"))
                .stripLeading()
                .lines()
                .takeWhile(line -> line.startsWith("|"))
                .skip(2)
                .map(line -> Arrays.stream(line.substring(1).split("\\|"))
                        .map(String::strip)
                        .toList())
                .forEach(cells -> {
                    assertEquals(3, cells.size(), cells::toString);
                    assertFalse(cells.get(2).isEmpty(), cells::toString);
                    defaults.put(cells.get(0), cells.get(1));
                });
        return defaults;
    }

    private static String time(Duration time) {
        return time.toSeconds() % 60 == 0 ? time.toMinutes() + " min" : time.toSeconds() + " s";
    }

    private static String size(long bytes) {
        return bytes >= 1 << 20 ? (bytes >> 20) + " MiB" : (bytes >> 10) + " KiB";
    }

    @Test
    void eachDefaultIsAsItsRowSays() throws IOException {
        HttpLimits limits = HttpLimits.DEFAULT;
        HttpTimeouts times = HttpTimeouts.DEFAULT;
        StreamLimits streams = StreamLimits.DEFAULT;
        Map<String, String> expected = new LinkedHashMap<>();
        expected.put("connections", "all descriptors except 256, or except an eighth if that is less");
        expected.put("connections of one client", "no limit");
        expected.put(
                "TLS handshake; PROXY header",
                time(Duration.ofSeconds(inSource(
                                "lf-pool/protocol/tls/src/main/java/org/cabrank/tls/Tls.java", "handshakeTimeout")))
                        + "; " + time(ProxyProtocol.HEADER_TIMEOUT_DEFAULT));
        expected.put(
                "head of a request",
                time(times.head()) + ", " + size(limits.headBytes()) + ", " + limits.fields() + " fields");
        expected.put(
                "body of a request", time(times.body()) + ", " + size(limits.bodyBytes()) + " as it comes and decoded");
        expected.put("idle HTTP connection", time(times.idle()));
        expected.put("idle stream or Netty channel", "no limit");
        expected.put(
                "answers that a client does not take",
                size(streams.highWatermark()) + " pause, " + size(streams.queueLimit()) + " refuse, "
                        + time(times.answers()) + " resets");
        expected.put("unread and queued bytes of all", "half of the direct memory");
        expected.put(
                "drain",
                time(Duration.ofSeconds(inSource(
                        "lf-pool/stream/src/main/java/org/cabrank/stream/ReactorBuilder.java", "drainTimeout"))));
        assertEquals(expected, table());
    }

    /** Returns a default in seconds that no method returns. */
    private static long inSource(String file, String field) throws IOException {
        String source = Files.readString(ROOT.resolve(file));
        String before = "Duration " + field + " = Duration.ofSeconds(";
        int at = source.indexOf(before);
        assertTrue(at > 0, file);
        return Long.parseLong(source.substring(at + before.length(), source.indexOf(')', at)));
    }

    @Test
    void whatHasNoLimitHasNoneAndTheOthersAreInForce() throws IOException {
        assertEquals(ListenOptions.UNLIMITED, ListenOptions.DEFAULT.connectionsPerPeerMax());
        assertEquals(StreamTimeouts.NEVER, StreamTimeouts.DEFAULT.idle());
        long descriptors =
                ((UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getMaxFileDescriptorCount();
        try (StreamReactor reactor = StreamReactor.builder().start()) {
            long most = descriptors - Math.min(256, descriptors / 8);
            assertEquals(
                    descriptors > Integer.MAX_VALUE ? 0 : most, reactor.use().connectionsMax());
        }
        long direct = Long.parseLong(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("MaxDirectMemorySize")
                .getValue());
        long all = direct > 0 ? direct : Runtime.getRuntime().maxMemory();
        assertEquals(List.of(all / 2, all / 8), List.of(streams(1), streams(4)));
    }

    private static long streams(int shards) {
        return StreamLimits.DEFAULT.shardMemory(shards);
    }
}

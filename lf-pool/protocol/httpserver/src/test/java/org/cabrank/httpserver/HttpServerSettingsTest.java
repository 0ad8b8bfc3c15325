package org.cabrank.httpserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Settings from system properties. */
class HttpServerSettingsTest {
    private static HttpServerSettings of(Map<String, String> properties) {
        return HttpServerSettings.of(name -> properties.get(name));
    }

    @Test
    void withoutPropertiesTheDefaultsHold() {
        assertEquals(HttpServerSettings.DEFAULT, of(Map.of()));
        assertEquals(HttpServerSettings.DEFAULT, of(Map.of("cabrank.httpserver.threads", " ")));
    }

    @Test
    void propertiesAreTaken() {
        Map<String, String> times = Map.of(
                "cabrank.httpserver.handshakeSeconds", "1",
                "cabrank.httpserver.closeSeconds", "2",
                "cabrank.httpserver.closeTotalSeconds", "0");
        assertEquals(
                HttpServerSettings.DEFAULT
                        .withHandshake(Duration.ofSeconds(1))
                        .withClose(Duration.ofSeconds(2))
                        .withCloseTotal(Duration.ZERO),
                of(times));
        HttpServerSettings settings = of(Map.of(
                "cabrank.httpserver.backend", "epoll",
                "cabrank.httpserver.shards", "2",
                "cabrank.httpserver.threads", " 3 ",
                "cabrank.httpserver.connections", "4",
                "cabrank.httpserver.headBytes", "500",
                "cabrank.httpserver.bodyBytesFirst", "0",
                "cabrank.httpserver.headSeconds", "6",
                "cabrank.httpserver.bodySeconds", "0",
                "cabrank.httpserver.answerBytesQueued", "7",
                "cabrank.httpserver.attributes", "exchange"));
        assertEquals("epoll", settings.backend());
        assertEquals(2, settings.shards());
        assertEquals(3, settings.threads());
        assertEquals(4, settings.connectionsMax());
        assertEquals(500, settings.limits().headBytes());
        assertEquals(0, settings.bodyBytesFirst());
        assertEquals(Duration.ofSeconds(6), settings.timeouts().head());
        assertEquals(Duration.ZERO, settings.timeouts().body());
        assertEquals(7, settings.answerBytesQueued());
        assertEquals(
                HttpServerSettings.DEFAULT.timeouts().idle(),
                settings.timeouts().idle());
        assertEquals(
                HttpServerSettings.DEFAULT.timeouts().answers(),
                settings.timeouts().answers());
        assertTrue(settings.attributesOfExchange());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "threads | x | a whole number from 0 to 1024",
                "threads | -1 | a whole number from 0 to 1024",
                "shards | 1025 | a whole number from 1 to 1024",
                "headBytes | 63 | a whole number from 64 to 61440",
                "bodyBytesFirst | -1 | a whole number from 0 to 16777216",
                "handshakeSeconds | -1 | a whole number from 0 to 31622400",
                "closeSeconds | 1m | a whole number from 0 to 31622400",
                "idleSeconds | 1m | a whole number from 0 to 31622400",
                "attributes | both | context or exchange",
            })
    void wrongValuesAreNamedWithTheRightOnes(String name, String value, String right) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> of(Map.of("cabrank.httpserver." + name, value)));
        assertEquals(
                "the system property cabrank.httpserver." + name + " is '" + value + "'; set it to " + right,
                refused.getMessage());
    }

    @Test
    void anUnknownBackendIsNamedWithTheKnownOnes() {
        HttpServerSettings unknown = HttpServerSettings.DEFAULT.withBackend("kqueue");
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> ServerMode.create(unknown));
        assertTrue(refused.getMessage().contains("'kqueue'; set it to auto or "), refused.getMessage());
        assertTrue(refused.getMessage().contains("epoll"), refused.getMessage());
    }

    @Test
    void valuesOutOfRangeAreRefused() {
        HttpServerSettings settings =
                HttpServerSettings.DEFAULT.withShards(2).withHeadBytes(100).withConnectionsMax(3);
        assertEquals("2 100 3", settings.shards() + " " + settings.headBytes() + " " + settings.connectionsMax());
        assertThrows(IllegalArgumentException.class, () -> settings.withThreads(-1));
        assertThrows(IllegalArgumentException.class, () -> settings.withAnswerBytesQueued(4 << 20));
        assertThrows(IllegalArgumentException.class, () -> settings.withConnectionsMax(-1));
        assertThrows(IllegalArgumentException.class, () -> settings.withHandshake(Duration.ofNanos(1)));
        assertThrows(IllegalArgumentException.class, () -> settings.withClose(Duration.ofDays(367)));
        assertThrows(IllegalArgumentException.class, () -> settings.withCloseTotal(Duration.ofSeconds(-1)));
    }
}

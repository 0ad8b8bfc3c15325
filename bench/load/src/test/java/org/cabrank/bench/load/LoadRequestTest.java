package org.cabrank.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

final class LoadRequestTest {

    private final ObjectMapper json = new ObjectMapper();

    @Test
    void aRequestIsOneLineAndComesThroughUnchanged() throws Exception {
        LoadRequest request = new LoadRequest(
                "127.0.0.1:7000",
                LoadTraffic.bursts(64, 1_024, 8, 10_000_000).withIdle(100),
                2,
                5_000_000_000L,
                4_711,
                "certificates");
        String line = json.writeValueAsString(request);
        assertFalse(line.contains("\n"), line);
        assertEquals(request, json.readValue(line, LoadRequest.class));
        assertEquals(164, request.settings(null).traffic().connectionsInAll());
    }

    @Test
    void aRequestThatMakesNoSenseIsRefusedWithAMessage() {
        IOException refused = assertThrows(
                IOException.class, () -> json.readValue("{\"traffic\": {\"pattern\": \"CHURN\"}}", LoadRequest.class));
        assertTrue(refused.getMessage().contains("connections is 0, expected 1 to 65536"), refused.getMessage());
    }

    @Test
    void conflictingOptionsAreRefused() {
        assertRefused("a depth goes with", () -> LoadTraffic.churn(1, 64).withDepth(2));
        assertRefused(
                "bursts have a rate of their own",
                () -> LoadTraffic.bursts(1, 64, 2, 1_000).withRate(1));
        assertRefused(
                "a rate goes with requests",
                () -> LoadTraffic.streaming(1, 64, 2).withRate(1));
        assertRefused(
                "reconnecting connections go with ping-pong",
                () -> LoadTraffic.churn(1, 64).withReconnecting(2));
        assertRefused("requests in a burst is 0", () -> LoadTraffic.bursts(1, 64, 0, 1_000));
    }

    private static void assertRefused(String words, Runnable making) {
        String message =
                assertThrows(IllegalArgumentException.class, making::run).getMessage();
        assertTrue(message.contains(words), message);
    }
}

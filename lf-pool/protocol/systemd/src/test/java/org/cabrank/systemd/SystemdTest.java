package org.cabrank.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Variables of the environment, without descriptors behind them. Passed descriptors are tested with processes. */
class SystemdTest {
    private static final long PID = 42;

    private static Systemd of(Map<String, String> environment) {
        return Systemd.of(environment, PID);
    }

    private static void assertRefused(String expected, Map<String, String> environment) {
        IOException refused =
                assertThrows(IOException.class, () -> of(environment).sockets());
        assertTrue(refused.getMessage().contains(expected), refused.getMessage());
    }

    @Test
    void outsideOfSystemdNothingWasPassedAndNobodyAsksForNotifications() throws IOException {
        Systemd systemd = of(Map.of());
        assertEquals(List.of(), systemd.sockets());
        assertEquals(Duration.ZERO, systemd.watchdogInterval());
        assertEquals(false, systemd.notifier().isAsked());
        assertEquals(false, systemd.notifier().ready("ready"));
        assertEquals(0, systemd.notifier().failures());
        String message = assertThrows(IOException.class, systemd::descriptors).getMessage();
        assertTrue(message.contains("start the service by its socket unit"), message);
    }

    @Test
    void socketsOfAnotherProcessAreLeftAlone() throws IOException {
        Systemd systemd = of(Map.of("LISTEN_PID", "41", "LISTEN_FDS", "1"));
        assertEquals(List.of(), systemd.sockets());
        String message = assertThrows(IOException.class, systemd::descriptors).getMessage();
        assertTrue(message.contains("LISTEN_PID is 41 and the process 42"), message);
    }

    @Test
    void wrongVariablesAreNamed() {
        assertRefused("LISTEN_FDS is 'two', but must be a number", Map.of("LISTEN_PID", "42", "LISTEN_FDS", "two"));
        assertRefused("LISTEN_FDS is '-1', but must be a number", Map.of("LISTEN_PID", "42", "LISTEN_FDS", "-1"));
        assertRefused(
                "LISTEN_FDNAMES has 2 names",
                Map.of("LISTEN_PID", "42", "LISTEN_FDS", "1", "LISTEN_FDNAMES", "one:two"));
    }

    @Test
    void descriptorThatIsNotOpenIsNamed() {
        // More descriptors than this process may open.
        assertRefused("is unavailable: EBADF", Map.of("LISTEN_PID", "42", "LISTEN_FDS", "65536"));
    }

    @Test
    void watchdogIsThatOfThisProcess() throws IOException {
        assertEquals(
                Duration.ofSeconds(2), of(Map.of("WATCHDOG_USEC", "2000000")).watchdogInterval());
        assertEquals(
                Duration.ofMillis(1),
                of(Map.of("WATCHDOG_USEC", "1000", "WATCHDOG_PID", "42")).watchdogInterval());
        assertEquals(
                Duration.ZERO,
                of(Map.of("WATCHDOG_USEC", "1000", "WATCHDOG_PID", "41")).watchdogInterval());
        IOException refused = assertThrows(
                IOException.class, () -> of(Map.of("WATCHDOG_USEC", "soon")).watchdogInterval());
        assertTrue(refused.getMessage().contains("WATCHDOG_USEC is 'soon'"), refused.getMessage());
    }
}

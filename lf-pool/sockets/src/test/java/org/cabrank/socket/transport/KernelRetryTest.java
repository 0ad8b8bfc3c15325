package org.cabrank.socket.transport;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import org.cabrank.kernel.Errno;
import org.junit.jupiter.api.Test;

/** The bound of tries, by a clock that only sleeping moves. */
class KernelRetryTest {
    private long nowNs = Long.MAX_VALUE - 1_000_000; // wraps round
    private int counted;
    private final KernelRetry retry =
            new KernelRetry(() -> nowNs, sleptNs -> nowNs += sleptNs, () -> counted++, Duration.ofSeconds(5));

    private int triesUntilExhausted() {
        int tries = 0;
        try {
            while (tries < 1_000_000) {
                retry.refused("epoll_wait", -Errno.ENOMEM);
                retry.sleep();
                tries++;
            }
        } catch (IOException exhausted) {
            assertTrue(exhausted.getMessage().startsWith("epoll_wait: ENOMEM"), exhausted::getMessage);
            assertTrue(exhausted.getMessage().contains("in 5000 ms; free memory"), exhausted::getMessage);
        }
        return tries;
    }

    @Test
    void refusalsOnEndFailAfterTheBoundAndEachIsCounted() {
        long begunNs = nowNs;
        int tries = triesUntilExhausted();
        assertTrue(nowNs - begunNs >= 5_000_000_000L, () -> nowNs - begunNs + " ns");
        assertTrue(nowNs - begunNs < 5_000_000_000L + KernelRetry.PAUSE_MAX_NS, () -> nowNs - begunNs + " ns");
        assertEquals(tries + 1, counted);
    }

    @Test
    void callThatIsTakenBeginsTheBoundAnew() throws IOException {
        for (int i = 0; i < 10_000; i++) {
            retry.refused("epoll_wait", -Errno.ENOMEM);
            retry.sleep();
            nowNs += 1_000_000_000;
            retry.taken();
        }
        assertTrue(triesUntilExhausted() > 100);
    }

    @Test
    void boundOfNothingFailsAtOnce() {
        KernelRetry none = new KernelRetry(() -> nowNs, sleptNs -> {}, () -> {}, Duration.ZERO);
        assertThrows(IOException.class, () -> none.refused("epoll_wait", -Errno.ENOMEM));
        assertDoesNotThrow(none::taken);
    }
}

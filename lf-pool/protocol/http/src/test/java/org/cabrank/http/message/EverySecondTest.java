package org.cabrank.http.message;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
@Tag("newest") // on an older JDK in a soak only
final class EverySecondTest {

    private static final int SECONDS = 2;

    @Test
    void whatIsThereIsThatOfNowAndANewSecondMakesANewOne() throws Exception {
        EverySecond<Long> second = new EverySecond<>(Long::valueOf);
        long first = second.current();
        assertTrue(now() - first <= 1, "at once");
        while (second.current() < first + SECONDS) {
            Thread.onSpinWait();
        }
        assertTrue(now() >= first + SECONDS, "not before its time");
    }

    private static long now() {
        return System.currentTimeMillis() / 1_000;
    }
}

package org.cabrank.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

final class EverySecondTest {
    private long ms = 7_999;

    @Test
    void eachSecondHasItsOwn() {
        EverySecond<String> second = new EverySecond<>(s -> "second " + s, () -> ms);
        String seventh = second.current();
        assertEquals("second 7", seventh);
        assertSame(seventh, second.current());
        ms = 8_000;
        String eighth = second.current();
        assertEquals("second 8", eighth);
        ms = 8_999;
        assertSame(eighth, second.current());
        ms = 7_000; // the clock was set back
        assertEquals(seventh, second.current());
        assertNotSame(seventh, second.current());
    }
}

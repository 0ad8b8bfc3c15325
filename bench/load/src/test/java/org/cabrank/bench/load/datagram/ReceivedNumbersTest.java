package org.cabrank.bench.load.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class ReceivedNumbersTest {
    private final ReceivedNumbers numbers = new ReceivedNumbers();

    private void add(long... all) {
        for (long number : all) {
            numbers.add(number);
        }
    }

    private void expect(long lost, long reordered, long repeated) {
        assertEquals(lost, numbers.lost(), "lost");
        assertEquals(reordered, numbers.reordered(), "reordered");
        assertEquals(repeated, numbers.repeated(), "repeated");
    }

    @Test
    void nothingIsLostBeforeTheFirstDatagram() {
        expect(0, 0, 0);
        add(1_000_000_000_000L);
        expect(0, 0, 0);
    }

    @Test
    void aRepeatedDatagramDoesNotMakeUpForALostOne() {
        assertTrue(numbers.add(5));
        assertFalse(numbers.add(5));
        add(6, 8, 8, 9);
        expect(1, 0, 2);
    }

    @Test
    void aLateDatagramIsNotLost() {
        add(5, 7, 8);
        expect(1, 0, 0);
        assertTrue(numbers.add(6));
        expect(0, 1, 0);
        assertFalse(numbers.add(6));
        expect(0, 1, 1);
    }

    @Test
    void aDatagramBeforeTheFirstOneCountsAsWell() {
        add(5, 3);
        expect(1, 1, 0);
        add(4);
        expect(0, 2, 0);
    }

    @Test
    void aDatagramTooLateToBeToldFromARepeatedOneStaysLost() {
        add(0, ReceivedNumbers.MEMORY + 1);
        assertFalse(numbers.add(1));
        expect(ReceivedNumbers.MEMORY, 1, 0);
    }
}

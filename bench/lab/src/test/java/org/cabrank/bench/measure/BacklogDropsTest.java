package org.cabrank.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

final class BacklogDropsTest {

    @Test
    void dropsOfAllProcessorsAreAddedUp() {
        assertEquals(
                0x4fc0 + 0x12,
                BacklogDrops.dropped("0061eb10 00004fc0 00000007 00000000 00000000\n01a0 00000012 0 0 0\n"));
    }

    @Test
    void onlyDropsAreWorthASentence() {
        assertEquals(Optional.empty(), BacklogDrops.text(0));
        assertTrue(BacklogDrops.text(1).orElseThrow().contains("dropped 1 packet on"));
        assertTrue(BacklogDrops.text(2_345).orElseThrow().contains("dropped 2,345 packets on"));
    }
}

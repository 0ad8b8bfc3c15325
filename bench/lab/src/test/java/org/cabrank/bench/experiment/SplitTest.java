package org.cabrank.bench.experiment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class SplitTest {

    @Test
    void theWayGoesFromOnePoolToOneReactorForEachThread() {
        assertEquals("[1x1, 1x2, 1x3, 2x1, 2x2]", Split.along(2).toString());
        assertEquals(
                "[1x1, 1x6, 1x7, 2x3, 2x4, 3x2, 3x3, 6x1, 6x2]", Split.along(6).toString());
        assertEquals("[1x1, 1x2]", Split.along(1).toString());
    }

    @Test
    void aSplitIsReadAsItIsWritten() {
        assertEquals(new Split(12, 3), Split.parse("12x3"));
        assertEquals("12x3", new Split(12, 3).toString());
    }

    @Test
    void whatIsNoSplitIsRefusedWithWhatIsRight() {
        for (String wrong : new String[] {"", "2", "2x", "x2", "2X1", "2x1x1", "0x1", "1x0", "1025x1", "-1x2"}) {
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> Split.parse(wrong), wrong);
            assertTrue(
                    refused.getMessage().matches(".*(is no split|shards and threads go from 1).*"),
                    refused.getMessage());
        }
    }
}

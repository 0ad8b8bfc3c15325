package org.cabrank.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.layout.SignalSet;
import org.junit.jupiter.api.Test;

class SignalSetTest {
    private final ByteBuffer set = ByteBuffer.allocate(SignalSet.SIZE_BYTES);

    @Test
    void addedSignalsAreThereAndNoOthers() {
        SignalSet.add(set, Events.SIGTERM);
        SignalSet.add(set, Events.SIGINT);
        for (int signal = 1; signal <= SignalSet.MAX_SIGNAL; signal++) {
            assertEquals(signal == Events.SIGTERM || signal == Events.SIGINT, SignalSet.contains(set, signal));
        }
    }

    @Test
    void signalIsTheBitBelowItsNumber() {
        SignalSet.add(set, 1);
        SignalSet.add(set, SignalSet.MAX_SIGNAL);
        assertEquals(1L << 63 | 1L, set.order(ByteOrder.LITTLE_ENDIAN).getLong(0));
    }

    @Test
    void numbersThatAreNoSignalsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> SignalSet.add(set, 0));
        IllegalArgumentException thrown =
                assertThrows(IllegalArgumentException.class, () -> SignalSet.contains(set, 65));
        assertTrue(thrown.getMessage().contains("65"), thrown.getMessage());
    }
}

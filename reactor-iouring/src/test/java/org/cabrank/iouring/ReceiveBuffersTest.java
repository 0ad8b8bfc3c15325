package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Choice of the receivers when buffers are few. */
class ReceiveBuffersTest {
    private BufferedSet buffered;

    @BeforeEach
    void open() throws IOException {
        buffered = BufferedSet.open();
    }

    @AfterEach
    void close() {
        buffered.close();
    }

    /** Asks for a buffer, or for none because it is closed or paused. */
    private static final class Fake implements ReceiveBuffers.Receiver {
        private final boolean hungry;
        private int starved;
        private int fed;

        Fake(boolean hungry) {
            this.hungry = hungry;
        }

        @Override
        public void starve() {
            starved++;
        }

        @Override
        public boolean feed() {
            fed++;
            return hungry;
        }
    }

    private Fake starving(boolean hungry) {
        Fake receiver = new Fake(hungry);
        buffered.buffers().exhausted(receiver);
        return receiver;
    }

    private void leaveFree(int buffers) {
        for (int buffer = buffers; buffer < BufferedSet.BUFFERS; buffer++) {
            buffered.buffers().ring().taken(buffer);
        }
    }

    @Test
    void receiversThatNeedNoBufferAnyMoreKeepNoneFromOthers() {
        leaveFree(2);
        Fake closed = starving(false);
        Fake paused = starving(false);
        Fake first = starving(true);
        Fake second = starving(true);
        buffered.buffers().rearmStarved();
        assertEquals(1, closed.fed);
        assertEquals(1, paused.fed);
        assertEquals(1, first.fed, "the first that needs one");
        assertEquals(1, second.fed, "the second");
    }

    @Test
    void noMoreReceiveThanThereAreBuffers() {
        leaveFree(1);
        Fake first = starving(true);
        Fake second = starving(true);
        buffered.buffers().rearmStarved();
        assertEquals(1, first.fed);
        assertEquals(0, second.fed, "there is no buffer for it");
        buffered.buffers().ring().recycle(BufferedSet.BUFFERS - 1);
        buffered.buffers().rearmStarved();
        assertEquals(1, first.fed);
        assertEquals(1, second.fed);
    }

    @Test
    void receiveWithoutABufferIsReportedAndCounted() {
        Fake receiver = starving(true);
        assertEquals(1, receiver.starved);
        assertEquals(1, buffered.buffers().exhaustedCount());
        buffered.buffers().rearmStarved();
        buffered.buffers().rearmStarved();
        assertEquals(1, receiver.fed, "it has asked once");
    }

    @Test
    void buffersAreScarceUntilHalfOfThemHaveBeenFreeForLong() {
        ReceiveBuffers buffers = buffered.buffers();
        assertFalse(buffers.areScarce());
        starving(false);
        assertTrue(buffers.areScarce());
        buffers.rearmStarved();
        awaitTimes(ReceiveBuffers.CALM_WAITS - 1);
        assertTrue(buffers.areScarce());
        leaveFree(BufferedSet.BUFFERS / 2 - 1);
        awaitTimes(1);
        buffers.ring().recycle(BufferedSet.BUFFERS - 1);
        awaitTimes(ReceiveBuffers.CALM_WAITS - 1);
        assertTrue(buffers.areScarce(), "fewer than half were free in between");
        awaitTimes(1);
        assertFalse(buffers.areScarce());
    }

    private void awaitTimes(int times) {
        for (int i = 0; i < times; i++) {
            buffered.buffers().rearmStarved();
        }
    }
}

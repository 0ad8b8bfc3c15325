package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Handles without a descriptor: the reactor is never asked to arm or to close one. */
@Timeout(300)
class VirtualHandleTest {
    private PoolFixture fixture = PoolFixture.eager(3);

    @AfterEach
    void close() {
        fixture.close();
    }

    private Handle telling(String name) {
        return fixture.set.registerVirtual(name, telling());
    }

    private EventHandler telling() {
        return new EventHandler() {
            @Override
            public void handleEvent(Handle handle, int ready) {
                fixture.log.add(handle + " " + Ready.describe(ready));
            }

            @Override
            public void handleClosed(Handle handle, Throwable cause) {
                fixture.log.add(handle + " closed");
            }
        };
    }

    @ParameterizedTest
    @EnumSource(Deactivation.class)
    void servesPostsAndTimersAndIsNeverArmed(Deactivation deactivation) {
        fixture.close();
        fixture = new PoolFixture(PoolConfig.of("test", 2).withPromotion(Promotion.eager()), deactivation);
        fixture.join("a", "b");
        Handle handle = telling("virtual");
        handle.post(Ready.POSTED);
        fixture.awaitIdle();
        handle.post(Ready.READ); // a bit that the kernel would report, and that a one-shot handle is armed anew for
        fixture.awaitIdle();
        handle.scheduleTimer(fixture.set.nanoTime() + 500);
        fixture.awaitIdle();
        fixture.advance(500);
        fixture.pool.deactivateHandle(handle);
        handle.post(Ready.POSTED_2);
        fixture.awaitIdle();
        fixture.pool.reactivateHandle(handle);
        fixture.awaitIdle();
        assertEquals(List.of("virtual POSTED", "virtual READ", "virtual TIMER", "virtual POSTED_2"), fixture.log);
        assertFalse(handle.isClosed());
        assertEquals(List.of(), fixture.set.rearmed());
    }

    @Test
    void isClosedWithoutADescriptor() {
        fixture.join("a");
        Handle handle = telling("virtual");
        handle.close();
        fixture.awaitIdle();
        assertTrue(handle.isClosed());
        assertEquals(List.of("virtual closed"), fixture.log);
        assertEquals(List.of(), fixture.set.closed());
        assertEquals(0, fixture.set.handleCount());
    }

    @Test
    void isCalledLastByAGracefulStopOnly() {
        fixture.join("a");
        telling("virtual");
        fixture.set.registerCalledLast("last", telling());
        fixture.pool.stop();
        fixture.awaitTerminated();
        assertEquals(List.of("last POSTED"), fixture.log);
        fixture.close();
        fixture = PoolFixture.eager(3);
        fixture.join("a");
        fixture.set.registerCalledLast("last", telling());
        fixture.pool.stopNow();
        fixture.awaitTerminated();
        assertEquals(List.of(), fixture.log);
    }

    @Test
    void isClosedWithItsSetWhichTakesNoOtherThen() {
        Handle handle = telling("virtual");
        assertSame(fixture.set, handle.handleSet());
        fixture.close();
        assertTrue(handle.isClosed());
        assertEquals(List.of("virtual closed"), fixture.log);
        assertThrows(IllegalStateException.class, () -> telling("late"));
        assertEquals(0, fixture.set.handleCount());
    }
}

package org.cabrank.lf.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.fixture.Race;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Events, posts and the request to close meet in the state of a handle that several hold at once. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class ConcurrentHandleRaceTest {
    /** A handle that several hold at once; whoever is given the request to close is alone. */
    private static final class Shared extends ClaimState {
        final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger consumed = new AtomicInteger();
        final AtomicInteger closes = new AtomicInteger();
        volatile String violation;

        Shared() {
            super(true);
        }

        void process(int ready) {
            for (int bits = ready; bits != 0; bits = release()) {
                int others = inside.getAndIncrement();
                if (closes.get() > 0) {
                    violation = "entered after the close";
                }
                consumed.accumulateAndGet(bits, (before, now) -> before | now);
                if ((bits & ReadyBits.CLOSE) != 0) {
                    if (others > 0) {
                        violation = "closed with others inside";
                    }
                    closes.incrementAndGet();
                    markClosed();
                }
                inside.decrementAndGet();
            }
        }

        void post(int bit) {
            if (notePosted(bit)) {
                process(claimPosted());
            }
        }
    }

    private final Shared[] shared = new Shared[Race.MEETINGS];

    private void prepareShared() {
        for (int i = 0; i < Race.MEETINGS; i++) {
            shared[i] = new Shared();
        }
    }

    private void checkShared(int meeting, int closes) {
        assertNull(shared[meeting].violation, () -> "at meeting " + meeting);
        assertEquals(closes, shared[meeting].closes.get());
        assertTrue(!shared[meeting].isClaimed(), "nobody holds it in the end");
    }

    @Test
    void concurrentHandleIsClosedOnceAndByThreadThatIsAlone() throws InterruptedException {
        Race.run(
                this::prepareShared,
                i -> {
                    shared[i].process(shared[i].claim(ReadyBits.READ));
                    shared[i].process(shared[i].claim(ReadyBits.WRITE));
                },
                i -> {
                    shared[i].process(shared[i].claim(ReadyBits.READ));
                    shared[i].post(ReadyBits.CLOSE);
                },
                i -> checkShared(i, 1));
    }

    @Test
    void concurrentHandleThatBothCloseIsClosedOnce() throws InterruptedException {
        Race.run(
                this::prepareShared,
                i -> {
                    shared[i].process(shared[i].claim(ReadyBits.READ));
                    shared[i].post(ReadyBits.CLOSE);
                },
                i -> {
                    shared[i].post(ReadyBits.POSTED);
                    shared[i].post(ReadyBits.CLOSE);
                },
                i -> checkShared(i, 1));
    }

    @Test
    void eventsAndPostsOfAConcurrentHandleReachAHolder() throws InterruptedException {
        Race.run(
                this::prepareShared,
                i -> {
                    shared[i].process(shared[i].claim(ReadyBits.READ));
                    shared[i].post(ReadyBits.POSTED);
                    shared[i].process(shared[i].claim(ReadyBits.HANGUP));
                },
                i -> {
                    shared[i].suspend();
                    shared[i].post(ReadyBits.POSTED_2);
                    if (shared[i].resume(0) == ClaimState.Resumption.POST_DUE) {
                        shared[i].process(shared[i].claimPosted());
                    }
                    shared[i].process(shared[i].claim(ReadyBits.ERROR));
                },
                i -> {
                    checkShared(i, 0);
                    assertEquals(
                            ReadyBits.READ | ReadyBits.POSTED | ReadyBits.HANGUP | ReadyBits.POSTED_2 | ReadyBits.ERROR,
                            shared[i].consumed.get());
                });
    }
}

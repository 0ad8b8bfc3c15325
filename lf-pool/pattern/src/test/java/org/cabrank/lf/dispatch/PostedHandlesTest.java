package org.cabrank.lf.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import org.cabrank.lf.fixture.TestThread;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PostedHandlesTest {
    private final PostedHandles posted = new PostedHandles();

    private static HandleState handle(String name) {
        return new NamedHandle(name);
    }

    @Test
    void handlesComeInTheOrderOfArrival() {
        List<HandleState> handles = List.of(handle("first"), handle("second"), handle("third"));
        handles.forEach(posted::push);
        assertNull(posted.poll(), "they have not been taken over yet");
        posted.takeArrived();
        for (HandleState handle : handles) {
            assertSame(handle, posted.poll());
        }
        assertNull(posted.poll());
        assertTrue(posted.isEmpty());
    }

    @Test
    void handlePostedDuringABatchWaitsForTheNextBatch() {
        HandleState first = handle("first");
        HandleState second = handle("second");
        HandleState third = handle("third");
        posted.push(first);
        posted.push(second);
        posted.takeArrived();
        assertSame(first, posted.poll());
        posted.push(third);
        posted.takeArrived();
        assertSame(second, posted.poll(), "the older come first");
        assertNull(posted.poll());
        assertFalse(posted.isEmpty());
        posted.takeArrived();
        assertSame(third, posted.poll());
    }

    @Test
    void handleCanBePushedAgainOnceItWasTaken() {
        HandleState handle = handle("handle");
        for (int i = 0; i < 3; i++) {
            posted.push(handle);
            posted.takeArrived();
            assertSame(handle, posted.poll());
            assertNull(posted.poll());
        }
    }

    @Test
    @Timeout(300)
    void noneIsLostOrSeenTwiceWhenManyThreadsPush() throws Exception {
        int threads = 4;
        int each = 5_000;
        CyclicBarrier begin = new CyclicBarrier(threads);
        List<TestThread> pushers = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            String prefix = t + ":";
            pushers.add(TestThread.start("pusher " + t, () -> {
                begin.await();
                for (int i = 0; i < each; i++) {
                    posted.push(handle(prefix + i));
                }
            }));
        }
        int[] next = new int[threads];
        for (int taken = 0; taken < threads * each; ) {
            for (TestThread pusher : pushers) {
                pusher.check();
            }
            posted.takeArrived();
            for (HandleState handle = posted.poll(); handle != null; handle = posted.poll()) {
                String[] name = handle.toString().split(":");
                assertEquals(next[Integer.parseInt(name[0])]++, Integer.parseInt(name[1]));
                taken++;
            }
        }
        for (TestThread pusher : pushers) {
            pusher.join();
        }
        assertTrue(posted.isEmpty());
    }
}

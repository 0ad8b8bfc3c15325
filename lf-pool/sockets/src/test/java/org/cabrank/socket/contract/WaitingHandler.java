package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;

/** The part of a test's handlers that waits for a reply in two of its calls, one inside the other, and keeps account of all events. */
final class WaitingHandler {
    static final int WAITS = 3;
    static final int WAITS_TOO = 5;

    private final CompletableFuture<Reply<String>> first = new CompletableFuture<>();
    private final CompletableFuture<Reply<String>> second = new CompletableFuture<>();
    private final List<Integer> ledger = new CopyOnWriteArrayList<>();
    private final CountDownLatch returned = new CountDownLatch(2);

    /** An event has come. */
    void seen(int event) throws Exception {
        ledger.add(event);
        if (event == WAITS || event == WAITS_TOO) {
            (event == WAITS ? first : second)
                    .get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS)
                    .await(Duration.ofNanos(Await.PATIENCE_NS));
        }
    }

    /** The handler that has waited is about to return. */
    void returns(int event) {
        if (event == WAITS || event == WAITS_TOO) {
            returned.countDown();
        }
    }

    void servedBy(LeaderFollowersPool pool) {
        first.complete(pool.newReply());
        second.complete(pool.newReply());
    }

    /** Waits until each event below {@code end} has come, once and in order. */
    void awaitEach(int end) {
        Await.until("the events have come", () -> ledger.size() >= end);
        assertEquals(IntStream.range(0, end).boxed().toList(), ledger);
    }

    /** Waits until each event below {@code end} has come, once, in any order. */
    void awaitAll(int end) {
        Await.until("the events have come", () -> ledger.size() >= end);
        assertEquals(
                IntStream.range(0, end).boxed().toList(),
                ledger.stream().sorted().toList());
    }

    /** Ends both waits, and returns when both calls have returned. */
    void end() throws InterruptedException {
        second.join().complete("second");
        first.join().complete("first");
        assertTrue(returned.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
    }
}

package org.cabrank.lf.bound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.PostOnlySet;
import org.cabrank.lf.Reply;
import org.junit.jupiter.api.Test;

/** Errors inside the table of replies. */
class ReplyTableTest {
    /** A name of a request whose hash can be asked for so many times. */
    private static final class Name {
        private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

        @Override
        public int hashCode() {
            if (left.getAndDecrement() <= 0) {
                throw new OutOfMemoryError("on purpose");
            }
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return this == other;
        }
    }

    @Test
    void replyThatCannotBeRememberedReachesItsWaiter() throws Exception {
        PostOnlySet set = new PostOnlySet(() -> {});
        try (LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("test", 1))) {
            ReplyTable<Name, String> table = new ReplyTable<>();
            Name name = new Name();
            Reply<String> reply = pool.newReply();
            table.expect(name, reply);
            name.left.set(1);
            assertThrows(OutOfMemoryError.class, () -> table.answer(name, "value"));
            assertTrue(reply.isDone(), "the table holds the reply no longer, so nothing else would complete it");
            assertEquals("value", reply.await(Duration.ZERO));
        }
        set.close();
    }

    /** The other order, and the one in between: the time is up, the reply completed, and only then the waiter gives up. */
    @Test
    void exactlyOneOfReplyAndTimeoutCounts() throws Exception {
        PostOnlySet set = new PostOnlySet(() -> {});
        try (LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("test", 1))) {
            ReplyTable<Integer, String> table = new ReplyTable<>();
            ExpectedReply<Integer, String> early = table.expect(1, pool.newReply());
            assertTrue(table.giveUp(early));
            assertFalse(table.answer(1, "late"));
            assertFalse(early.isDone());
            assertEquals(new BoundCounters(0, 0, 1, 0, 1, 0, 0), table.counters());

            ExpectedReply<Integer, String> inTime = table.expect(2, pool.newReply());
            assertTrue(table.answer(2, "in time"));
            assertFalse(table.giveUp(inTime), "so the waiter finds its reply");
            assertEquals("in time", inTime.await(Duration.ZERO));
            assertEquals(new BoundCounters(0, 1, 1, 0, 1, 0, 0), table.counters());
        }
    }
}

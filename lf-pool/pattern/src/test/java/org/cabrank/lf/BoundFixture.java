package org.cabrank.lf;

import static org.cabrank.lf.fixture.NumberedText.message;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.cabrank.lf.bound.BoundLimits;
import org.cabrank.lf.bound.BoundThreadPool;
import org.cabrank.lf.fixture.NumberedText;
import org.cabrank.lf.handle.Deactivation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A shared connection in virtual time, and threads that call over it. */
@Timeout(300)
abstract class BoundFixture {
    protected static final Duration TIMEOUT = Duration.ofMillis(5);
    protected static final Duration LONG = Duration.ofDays(1);

    protected final PoolFixture fixture =
            new PoolFixture(PoolConfig.of("test", 8).withOrder(PromotionOrder.fifo()), Deactivation.CLAIM);
    protected final FakeBoundChannel channel = new FakeBoundChannel(fixture.set, fixture.time);
    protected BoundThreadPool<Integer, String> bound;

    @BeforeEach
    void open() throws IOException {
        bound = BoundThreadPool.open(
                fixture.pool,
                channel,
                new NumberedText(),
                BoundLimits.DEFAULT.withMessageBytes(1000).withSendQueueBytes(100));
    }

    @AfterEach
    void close() {
        bound.close();
        fixture.close();
        assertEquals(0, bound.counters().expected(), "nothing is left behind");
        assertEquals(1, channel.closes());
    }

    protected Waiter call(String name, int id, Duration timeout) {
        return fixture.await(name, () -> bound.call(id, message(id, "?"), timeout));
    }

    protected Waiter call(String name, int id) {
        return call(name, id, LONG);
    }

    protected void deliver(ByteBuffer... messages) {
        channel.deliver(messages);
        fixture.awaitIdle();
    }

    protected void assertAnswer(String answer, Waiter waiter) {
        fixture.awaitOver(waiter);
        assertNull(waiter.thrown());
        assertEquals(answer, waiter.value());
    }
}

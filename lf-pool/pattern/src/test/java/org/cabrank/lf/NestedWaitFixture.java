package org.cabrank.lf;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A pool of each kind, and handlers that wait for replies. */
@Timeout(300)
abstract class NestedWaitFixture {
    protected static final Duration LONG = Duration.ofDays(1);

    enum Kind {
        SOLO,
        EAGER,
        DEFERRED
    }

    protected PoolFixture fixture;

    /** Arguments of {@link EventHandler#handleClosed}, by handle. */
    protected final List<String> closed = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void close() {
        fixture.close();
    }

    protected void pool(Kind kind, Deactivation deactivation) {
        Promotion promotion = kind == Kind.EAGER ? Promotion.eager() : Promotion.deferred(PoolFixture.MAX_GAP);
        PoolConfig config = PoolConfig.of("test", kind == Kind.SOLO ? 1 : 4).withPromotion(promotion);
        fixture = new PoolFixture(config, deactivation);
    }

    protected void pool(Kind kind) {
        pool(kind, Deactivation.CLAIM);
    }

    protected void log(String what) {
        fixture.log.add(what + " by " + Thread.currentThread().getName());
    }

    protected interface Body {
        void run(Handle handle) throws Exception;
    }

    protected FakeHandle handle(String name, Body body) {
        return fixture.set.register(name, new EventHandler() {
            @Override
            public void handleEvent(Handle handle, int ready) throws Exception {
                body.run(handle);
            }

            @Override
            public void handleClosed(Handle handle, Throwable cause) {
                closed.add(name + ": " + cause);
            }
        });
    }

    protected FakeHandle asking(String name, Reply<String> reply) {
        return asking(name, List.of(reply));
    }

    /** A handle whose handler waits for one of the replies after the other, at each event for the next. */
    protected FakeHandle asking(String name, List<Reply<String>> replies) {
        Deque<Reply<String>> left = new ArrayDeque<>(replies);
        return handle(name, handle -> {
            Reply<String> reply = left.remove();
            log(name + " asks");
            log(name + " has " + reply.await(LONG));
        });
    }

    protected Reply<String> reply() {
        return fixture.pool.newReply();
    }

    protected List<String> logged(String prefix) {
        return fixture.log.stream().filter(line -> line.startsWith(prefix)).toList();
    }
}

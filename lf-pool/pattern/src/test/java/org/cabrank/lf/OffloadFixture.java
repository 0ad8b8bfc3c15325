package org.cabrank.lf;

import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Executor;
import org.cabrank.lf.handle.Continuation;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** A handler that offloads work to an executor that runs it at the test's command. */
@Timeout(300)
abstract class OffloadFixture {
    protected PoolFixture fixture = PoolFixture.eager(3);

    /** The offloaded work; run at the test's command, on the test's thread. */
    protected final Deque<Runnable> accepted = new ConcurrentLinkedDeque<>();

    protected final Executor later = accepted::add;

    @AfterEach
    void close() {
        fixture.close();
    }

    protected void pool(int threads, Promotion promotion, Deactivation deactivation) {
        fixture.close();
        fixture = new PoolFixture(PoolConfig.of("test", threads).withPromotion(promotion), deactivation);
    }

    protected void pool(int threads) {
        pool(threads, Promotion.eager(), Deactivation.CLAIM);
    }

    protected void doWork() {
        accepted.remove().run();
        fixture.awaitIdle();
    }

    /** Hands READ away, and tells the rest. */
    protected final class Offloading implements EventHandler {
        private final Executor executor;
        private final Callable<String> work;
        private final Continuation<String> continuation;

        Offloading(Executor executor, Callable<String> work, Continuation<String> continuation) {
            this.executor = executor;
            this.work = work;
            this.continuation = continuation;
        }

        @Override
        public void handleEvent(Handle handle, int ready) throws Exception {
            fixture.log.add(Ready.describe(ready));
            if ((ready & Ready.READ) != 0) {
                handle.offload(executor, work, continuation);
            }
        }

        @Override
        public void handleClosed(Handle handle, Throwable cause) {
            fixture.log.add("closed because of " + cause);
        }
    }

    protected FakeHandle offloading(Executor executor, Callable<String> work, Continuation<String> continuation) {
        return fixture.set.register("handle", new Offloading(executor, work, continuation));
    }

    protected void report(Handle handle, String result) {
        fixture.log.add(result + ", held " + handle.isHeldByCaller());
    }

    protected FakeHandle offloading() {
        return offloading(later, () -> "done", this::report);
    }
}

package org.cabrank.stream.contract;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;

/** Accepts work, and runs it at the test's command. */
final class LaterExecutor implements Executor {
    private final BlockingQueue<Runnable> accepted = new LinkedBlockingQueue<>();

    @Override
    public void execute(Runnable work) {
        accepted.add(work);
    }

    /** Waits until work has been handed away. */
    Runnable take() throws InterruptedException {
        Runnable work = accepted.poll(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
        if (work == null) {
            throw new AssertionError("no work was handed away");
        }
        return work;
    }

    /** Waits for work, and does it on the calling thread. */
    void doNext() throws InterruptedException {
        take().run();
    }

    boolean isEmpty() {
        return accepted.isEmpty();
    }
}

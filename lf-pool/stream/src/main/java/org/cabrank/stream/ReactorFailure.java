package org.cabrank.stream;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.stream.transport.StreamShard;

/** The first failure of a shard or a pool, which ends the whole reactor ({@link StreamReactor}). */
final class ReactorFailure {
    private static final System.Logger LOGGER = System.getLogger(StreamReactor.class.getName());

    private final String reactor;
    private final List<StreamShard> shards;
    private final Consumer<? super ReactorFailedException> listener;
    private volatile ReactorFailedException first;

    private Runnable end;

    /** True if no thread could be created to end the reactor. A thread that waits for the reactor then ends it. Guarded by this. */
    private boolean endPending;

    private final CountDownLatch endedOrPending = new CountDownLatch(1);

    ReactorFailure(String reactor, List<StreamShard> shards, Consumer<? super ReactorFailedException> listener) {
        this.reactor = reactor;
        this.shards = shards;
        this.listener = listener;
    }

    ReactorFailedException first() {
        return first;
    }

    boolean isNone() {
        return first == null;
    }

    void throwIfAny() {
        ReactorFailedException failure = first;
        if (failure != null) {
            throw new ReactorFailedException(reactor, failure.shard(), failure.getCause());
        }
    }

    void ofPool(LeaderFollowersPool pool, Throwable cause) {
        int shard = ReactorFailedException.ALL_SHARDS;
        for (int i = 0; i < shards.size() && pool.handleSets().size() == 1; i++) {
            shard = shards.get(i).handleSet() == pool.handleSets().get(0) ? i : shard;
        }
        of(shard, cause);
    }

    void of(int shard, Throwable cause) {
        ReactorFailedException failure = new ReactorFailedException(reactor, shard, cause);
        synchronized (this) {
            if (first != null) {
                return; // the first failure is the cause, and a later one may be its consequence
            }
            first = failure;
            FailureLog.write(LOGGER, System.Logger.Level.ERROR, () -> failure.getMessage() + "; it ends", cause);
            if (end != null) {
                beginEnd();
            }
        }
    }

    /** Called when the reactor has started. {@code wanted} ends the reactor. It runs after a failure, at once if there was one. */
    synchronized void endBy(Runnable wanted) {
        end = wanted;
        if (first != null) {
            beginEnd();
        }
    }

    /** Called with the monitor held. */
    private void beginEnd() {
        try {
            new Thread(end, reactor + "-failed").start();
        } catch (Throwable exhausted) { // no thread, no memory
            endPending = true;
            endedOrPending.countDown();
            FailureLog.write(
                    LOGGER,
                    System.Logger.Level.ERROR,
                    () -> reactor + " ends when a thread waits for its termination, because no thread could be started",
                    exhausted);
        }
    }

    void noteEnd() {
        endedOrPending.countDown();
    }

    void awaitEndOrEndIfPending() throws InterruptedException {
        endedOrPending.await();
        Runnable due;
        synchronized (this) {
            due = endPending ? end : null;
            endPending = false;
        }
        if (due != null) {
            due.run();
        }
    }

    void notifyListener() {
        try {
            listener.accept(first);
        } catch (Throwable refused) {
            FailureLog.write(LOGGER, System.Logger.Level.ERROR, () -> "onFailure of " + reactor + " failed", refused);
        }
    }
}

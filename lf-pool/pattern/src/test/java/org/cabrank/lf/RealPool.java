package org.cabrank.lf;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;

/** A pool with threads of its own in real time, which runs whatever it is given as the event of a handle. */
final class RealPool implements AutoCloseable {
    final LeaderFollowersPool pool;
    private final MemoryHandleSet set = new MemoryHandleSet(Deactivation.CLAIM);
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Handle handle = set.registerVirtual("tasks", (self, ready) -> runTasks());

    RealPool(PoolConfig config) {
        pool = new LeaderFollowersPool(set, config);
        pool.start();
    }

    RealPool(int threads) {
        this(PoolConfig.of("real", threads));
    }

    private void runTasks() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    /** Has the task run by a thread of the pool. */
    void run(Runnable task) {
        tasks.add(task);
        handle.post(Ready.POSTED);
    }

    @Override
    public void close() {
        pool.close();
        set.close();
    }
}

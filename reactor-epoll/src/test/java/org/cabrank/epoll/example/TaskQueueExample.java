package org.cabrank.epoll.example;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.TaskQueue;
import org.cabrank.lf.handle.Deactivation;

/** Tasks of another thread, run by the threads of a pool between the events of its descriptors. */
public final class TaskQueueExample {
    private static final int TASKS_WAITING_MAX = 16;

    private TaskQueueExample() {}

    /** @return the sum of the numbers from 1 to {@code last}, which tasks have added one by one */
    static long run(Kernel kernel, int last) throws Exception {
        EpollHandleSet set = new EpollHandleSet(kernel, Deactivation.CLAIM);
        AtomicLong sum = new AtomicLong();
        try (LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("tasks", 2));
                TaskQueue queue = new TaskQueue(set, "numbers", TASKS_WAITING_MAX)) {
            pool.start();
            for (int i = 1; i <= last; i++) {
                long number = i;
                while (!queue.offer(() -> sum.addAndGet(number))) {
                    awaitAllBefore(queue); // it is full: this producer may wait; another may drop the task, or fail
                }
            }
            // The queue is closed first, so that it takes no more; then the pool, which runs what was accepted before
            // it ends.
        }
        set.close();
        return sum.get();
    }

    /** Waits for a task of its own, which runs after all that were accepted before; as long as there is room for it. */
    private static void awaitAllBefore(TaskQueue queue) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        while (!queue.offer(done::countDown)) {
            Thread.onSpinWait();
        }
        done.await();
    }
}

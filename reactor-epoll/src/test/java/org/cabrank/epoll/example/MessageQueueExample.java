package org.cabrank.epoll.example;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.source.MessageQueue;
import org.cabrank.socket.source.MessageQueueSource;

/** Jobs that wait in a message queue until somebody is there to do them, the urgent ones first. */
public final class MessageQueueExample {
    private static final int URGENT = 10;
    private static final int ORDINARY = 1;

    private final List<String> done = new CopyOnWriteArrayList<>();
    private final CountDownLatch allDone = new CountDownLatch(3);

    MessageQueueExample() {}

    /** In what order the jobs were done. */
    List<String> run(Kernel kernel, String name) throws Exception {
        EpollHandleSet set = new EpollHandleSet(kernel, Deactivation.CLAIM);
        MessageQueue jobs = MessageQueue.openOrMake(kernel, name, 10, 1_024, 0_600);
        add(jobs, "sweep", ORDINARY);
        add(jobs, "put out the fire", URGENT);
        add(jobs, "water the plants", ORDINARY);
        MessageQueueSource.open(set, jobs, (source, message, priority) -> {
            done.add(StandardCharsets.UTF_8.decode(message).toString());
            allDone.countDown();
        });
        try (LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("jobs", 2))) {
            pool.start();
            allDone.await();
        }
        set.close(); // the source with it, and the queue's descriptor
        MessageQueue.unlink(kernel, name);
        return done;
    }

    private static void add(MessageQueue jobs, String job, int priority) throws Exception {
        if (!jobs.send(ByteBuffer.wrap(job.getBytes(StandardCharsets.UTF_8)), priority)) {
            throw new IllegalStateException("there are more jobs than anybody will do");
        }
    }
}

package org.cabrank.lf;

import java.util.concurrent.CountDownLatch;

/** The threads that a pool starts itself; one that dies of an error is replaced. */
final class PoolThreads {
    private static final System.Logger LOGGER = System.getLogger(LeaderFollowersPool.class.getName());

    private final LeaderFollowersPool pool;
    private final PoolConfig config;
    private final Members members;
    private final Participation participation;

    PoolThreads(LeaderFollowersPool pool, Members members, Participation participation) {
        this.pool = pool;
        this.config = pool.config();
        this.members = members;
        this.participation = participation;
    }

    /** Starts them all and waits until each has run {@link PoolConfig#onThreadStart}. */
    void start() {
        CountDownLatch ready = new CountDownLatch(config.threads());
        for (int i = 0; i < config.threads(); i++) {
            start(i, ready);
        }
        boolean interrupted = false;
        while (ready.getCount() > 0) {
            try {
                ready.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void start(int number, CountDownLatch ready) {
        Member reserved = members.reserve();
        if (reserved == null) { // stopped meanwhile, or another thread has joined in its place
            ready.countDown();
            return;
        }
        try {
            new Thread(() -> run(reserved, number, ready), config.name() + "-" + number).start();
        } catch (Throwable refused) { // out of threads: the others must not wait for this one
            members.remove(reserved);
            pool.fail(refused);
            ready.countDown();
        }
    }

    private void run(Member reserved, int number, CountDownLatch ready) {
        Member me = members.adopt(reserved, Thread.currentThread());
        try {
            try {
                config.onThreadStart().accept(number);
            } catch (Throwable refused) {
                pool.fail(refused);
            } finally {
                ready.countDown();
            }
            participation.participate(me, HandleSet.FOREVER);
        } catch (VirtualMachineError fatal) {
            LOGGER.log(
                    System.Logger.Level.ERROR, Thread.currentThread().getName() + " ends; another replaces it", fatal);
            start(number, new CountDownLatch(1));
            throw fatal;
        }
    }
}

package org.cabrank.bench.contender;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

final class Uninterruptibly {

    private Uninterruptibly() {}

    private interface Wait {
        boolean ended() throws InterruptedException;
    }

    static void join(Thread thread) {
        await(() -> {
            thread.join();
            return true;
        });
    }

    static void awaitEnd(ExecutorService tasks) {
        await(() -> tasks.awaitTermination(1, TimeUnit.MINUTES));
    }

    private static void await(Wait wait) {
        boolean interrupted = false;
        boolean ended = false;
        while (!ended) {
            try {
                ended = wait.ended();
            } catch (InterruptedException whileWaiting) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

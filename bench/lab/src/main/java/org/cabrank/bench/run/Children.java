package org.cabrank.bench.run;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The living child processes of the bench. None outlives the bench, however the bench ends. Any thread. */
final class Children {

    private static final int END_TIMEOUT_S = 5;
    /** Time for the shutdown hook to begin: Ctrl-C reaches the bench and its children at the same time. */
    private static final int ENDING_TIMEOUT_MS = 500;

    private final Set<Process> living = ConcurrentHashMap.newKeySet();
    private final CountDownLatch ending = new CountDownLatch(1);

    /** Makes {@link #endAll} kill {@code process} if it still lives. */
    void add(Process process) {
        living.add(process);
        process.onExit().thenRun(() -> living.remove(process));
        if (ending()) {
            process.destroyForcibly();
        }
    }

    boolean ending() {
        return ending.getCount() == 0;
    }

    /** Waits briefly for {@link #endAll}; returns true if it has begun. */
    boolean awaitEnding() throws InterruptedException {
        return ending.await(ENDING_TIMEOUT_MS, TimeUnit.MILLISECONDS);
    }

    void endAll() {
        ending.countDown();
        living.forEach(Process::destroyForcibly);
        for (Process process : living) {
            try {
                process.waitFor(END_TIMEOUT_S, TimeUnit.SECONDS);
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }
}

package org.cabrank.bench.run;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The living child processes of the bench. A shutdown hook ends all of them. Safe for use by any thread. */
final class Children {

    private static final int END_TIMEOUT_S = 5;
    /** Maximum wait for the shutdown hook. After Ctrl-C, a child may end before the hook of this process runs. */
    private static final int ENDING_TIMEOUT_MS = 500;

    private final Set<Process> living = ConcurrentHashMap.newKeySet();
    private final CountDownLatch ending = new CountDownLatch(1);

    /** If {@link #endAll} has begun, kills {@code process}. */
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

    /** Waits briefly for {@link #endAll}. Returns true if it has begun. */
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

package org.cabrank.affinity;

import java.util.concurrent.atomic.AtomicBoolean;

/** Gives threads the mask of the process before they do their work. Any thread. */
final class UnpinnedWork {
    private static final System.Logger LOGGER = System.getLogger(Affinity.class.getName());

    private final Affinity affinity;
    private final AtomicBoolean complained = new AtomicBoolean();

    UnpinnedWork(Affinity affinity) {
        this.affinity = affinity;
    }

    Runnable before(Runnable work) {
        return () -> {
            unpin();
            work.run();
        };
    }

    private void unpin() {
        try {
            // Read each time: a cpuset that is changed changes the process's mask.
            CpuList all = affinity.ofProcess();
            if (!affinity.current().equals(all)) {
                affinity.pin(all);
            }
        } catch (AffinityException refused) {
            if (complained.compareAndSet(false, true)) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        "{0} stays on the CPUs of the thread that started it: {1}",
                        Thread.currentThread().getName(),
                        refused.getMessage());
            }
        }
    }
}

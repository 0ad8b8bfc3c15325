package org.cabrank.lf;

import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/** Consumes items and, now and then, does what handlers do to a pool. */
final class ChaosHandler implements EventHandler {
    /** What it throws; without a stack, as thousands are thrown. */
    static final class Mischief extends Exception {
        private static final long serialVersionUID = 1;

        Mischief() {
            super("thrown by a handler on purpose", null, false, false);
        }
    }

    /** What ends a thread of the pool; once in a run. */
    static final class Fatality extends VirtualMachineError {
        private static final long serialVersionUID = 1;

        Fatality() {
            super("thrown by a handler on purpose");
        }
    }

    private static final long TIMER_NS = 50_000;

    private final StressRun run;
    private final int place;
    private final Random random;
    private final AtomicBoolean fatalityDue;

    /** @param random used under the handle's claim only, so that it is an error to see it raced for */
    ChaosHandler(StressRun run, int place, Random random, AtomicBoolean fatalityDue) {
        this.run = run;
        this.place = place;
        this.random = random;
        this.fatalityDue = fatalityDue;
    }

    @Override
    public void handleEvent(Handle handle, int ready) throws Exception {
        MemoryHandle own = (MemoryHandle) handle;
        Ledger ledger = own.ledger;
        ledger.begin();
        try {
            if ((ready & Ready.TIMER) != 0) {
                ledger.timerDue = false;
            }
            if ((ready & Ready.POSTED) != 0) {
                ledger.postedSeen = ledger.posted.get();
            }
            consume(own);
        } finally {
            ledger.end();
        }
    }

    private void consume(MemoryHandle own) throws Exception {
        int itemsMax = 1 + random.nextInt(6);
        for (int items = 0; items < itemsMax; items++) {
            Long item = run.set.read(own);
            if (item == null) {
                return;
            }
            own.ledger.consume(item);
            makeMischief(own);
            if (own.isClosed()) {
                return;
            }
        }
        own.post(Ready.READ); // others' turn; the rest is not reported again
    }

    private void makeMischief(MemoryHandle own) throws Exception {
        int dice = random.nextInt(1000);
        if (dice < 300) {
            spin(random.nextInt(20_000));
        } else if (dice < 320) {
            LockSupport.parkNanos(10_000 + random.nextInt(400_000));
        } else if (dice < 400) {
            run.pool.promoteNewLeader();
        } else if (dice < 440) {
            run.post(own);
        } else if (dice < 500) {
            run.post(run.handle(random.nextInt(StressRun.HANDLES)));
        } else if (dice < 540) {
            if (!own.ledger.timerDue) {
                own.ledger.timerDue = true;
                own.scheduleTimer(run.set.nanoTime() + random.nextInt((int) TIMER_NS));
            }
        } else if (dice < 570) {
            if (run.deactivate(own)) {
                own.ledger.mustNotRun = true;
                run.reactivateLater(own);
            }
        } else if (dice < 590) {
            MemoryHandle other = run.handle(random.nextInt(StressRun.HANDLES));
            if (other != own && run.deactivate(other)) {
                run.reactivateLater(other);
            }
        } else if (dice < 594) {
            own.close();
        } else if (dice < 598) {
            run.handle(random.nextInt(StressRun.HANDLES)).close();
        } else if (dice < 602) {
            throw new Mischief();
        } else if (dice < 604 && fatalityDue.compareAndSet(true, false)) {
            throw new Fatality();
        }
    }

    private static void spin(long ns) {
        long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < ns) {
            Thread.onSpinWait();
        }
    }

    @Override
    public void handleClosed(Handle handle, Throwable cause) {
        MemoryHandle own = (MemoryHandle) handle;
        if (cause != null && !(cause instanceof Mischief) && !(cause instanceof Fatality)) {
            own.ledger.violation("closed because of " + cause);
        }
        run.closed(own, place);
        if (ThreadLocalRandom.current().nextInt(100) == 0) {
            handle.close(); // without effect
        }
    }
}

package org.cabrank.lf;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;

/** Consumes items and, now and then, does what handlers do to a pool. */
final class ChaosHandler implements EventHandler {
    /** Exception of the handler; without a stack, as thousands are thrown. */
    static final class Mischief extends Exception {
        private static final long serialVersionUID = 1;

        Mischief() {
            super("thrown by a handler on purpose", null, false, false);
        }
    }

    /** Error of the handler; once in a run. */
    static final class Fatality extends VirtualMachineError {
        private static final long serialVersionUID = 1;

        Fatality() {
            super("thrown by a handler on purpose");
        }
    }

    /** One call of the handler, which may let go of its handle before it ends. */
    private static final class Call {
        boolean letGo;
    }

    private static final int TIMER_NS = 50_000;
    private static final int NESTED_WAIT_NS = 500_000;

    private final StressRun run;
    private final int place;
    private final Random random;

    /** Touched under the claim only. */
    private Call call;

    /** @param random used under the handle's claim only, so that it is an error to see it raced for */
    ChaosHandler(StressRun run, int place, Random random) {
        this.run = run;
        this.place = place;
        this.random = random;
    }

    @Override
    public void handleEvent(Handle handle, int ready) throws Exception {
        MemoryHandle own = (MemoryHandle) handle;
        Ledger ledger = own.ledger;
        ledger.begin(Ready.describe(ready));
        Call mine = new Call();
        call = mine;
        try {
            if ((ready & Ready.TIMER) != 0) {
                ledger.timerDue = false;
            }
            if ((ready & Ready.POSTED) != 0) {
                ledger.seePosts();
            }
            consume(own, mine);
        } finally {
            if (!mine.letGo) {
                ledger.end();
            }
        }
    }

    private void consume(MemoryHandle own, Call mine) throws Exception {
        int itemsMax = 1 + random.nextInt(6);
        for (int items = 0; items < itemsMax; items++) {
            Long item = own.set().read(own);
            if (item == null) {
                return;
            }
            own.ledger.consume(item);
            makeMischief(own);
            if (mine.letGo || own.isClosed()) {
                return;
            }
        }
        own.post(Ready.READ); // lets other handles run; the rest is not reported again
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
            scheduleTimer(own);
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
        } else if (dice < 604 && run.fatalityDue.compareAndSet(true, false)) {
            own.ledger.history.note("fails fatally");
            throw new Fatality();
        } else if (dice < 640) {
            handWorkAway(own);
        } else if (dice < 660) {
            waitNested(own);
        }
    }

    private void scheduleTimer(MemoryHandle own) {
        if (!own.ledger.timerDue) {
            own.ledger.timerDue = true;
            own.scheduleTimer(own.set().nanoTime() + random.nextInt(TIMER_NS));
        }
    }

    private void handWorkAway(MemoryHandle own) {
        Ledger ledger = own.ledger;
        if (ledger.workUnderWay) {
            return; // handed away by this very call
        }
        int workNs = random.nextInt(100_000);
        boolean fails = random.nextInt(50) == 0;
        ledger.history.note("hands work away");
        ledger.workUnderWay = true;
        own.offload(
                run.workers,
                () -> {
                    spin(workNs);
                    if (fails) {
                        throw new Mischief();
                    }
                    return workNs;
                },
                (handle, result) -> {
                    ledger.workUnderWay = false;
                    ledger.begin("resumed");
                    ledger.end();
                });
    }

    /**
     * Waits for a reply. Another thread may run the handle in that time, and this thread may serve other handles or the same one.
     */
    private void waitNested(MemoryHandle own) {
        Ledger ledger = own.ledger;
        Reply<Integer> reply = run.pool.newReply();
        int answerNs = random.nextInt(NESTED_WAIT_NS);
        int patienceNs = random.nextInt(NESTED_WAIT_NS);
        own.post(Ready.READ);
        ledger.history.note("waits");
        run.workers.execute(() -> {
            spin(answerNs / 8);
            reply.complete(answerNs);
        });
        try {
            int answer = reply.await(Duration.ofNanos(patienceNs));
            if (answer != answerNs) {
                ledger.violation("was given the reply " + answer + " to " + answerNs);
            }
        } catch (TimeoutException | NestingLimitException | PoolStoppedException expected) {
            // each of them is an answer
        } catch (ExecutionException unexpected) {
            ledger.violation("was given the failure " + unexpected);
        }
    }

    @Override
    public void beforeNestedWait(Handle handle) {
        call.letGo = true;
        ((MemoryHandle) handle).ledger.end();
    }

    static void spin(long ns) {
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

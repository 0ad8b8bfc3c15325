package org.cabrank.lf;

import java.util.concurrent.TimeUnit;
import org.cabrank.lf.leadership.Alert;
import org.cabrank.lf.leadership.Deadlines;
import org.cabrank.lf.leadership.Followers;
import org.cabrank.lf.leadership.LeadershipWord;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.leadership.StopCheck;

/**
 * A thread of the lowest priority that hints at leaders which are blocked in a handler, for pools whose threads all run on one CPU. It
 * waits for events that the leader does not harvest, during an {@link Alert} only. Where the leader is runnable, it runs first, and
 * harvests them itself. Where the leader is blocked, the CPU is idle, so the watcher runs at the next event.
 *
 * <p>The watcher only hints. The standby takes over, by compare-and-set from the hinted word. Events that were harvested behind
 * the blocked handler are not seen by the watcher, so the standby looks by timer as well, half as often.
 *
 * <p>A thread of the lowest priority that was preempted outside of a system call holds up a safepoint of the JVM until it runs again. It
 * spends most of its time in system calls. Where other programs, or leaders that never wait, keep it off the CPU for
 * {@link #STARVED_NS}, it rests for {@link #RECOVERY_NS}.
 *
 * <p>The thread is started by the first alert.
 */
final class IdleWatcher implements Alert.Listener {
    /** Named bound: time of one wait, after which the watcher looks whether the alert is over. */
    static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Named bound: time that a wake-up of the standby may take; it is some microseconds unless others have the CPU. */
    static final long STARVED_NS = TimeUnit.MILLISECONDS.toNanos(10);

    static final long RECOVERY_NS = TimeUnit.SECONDS.toNanos(1);

    /** Pause where nobody takes over from a leader that is blocked: no thread follows. */
    static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /** Named bound: time that the last thread of the pool waits for the watcher's end. */
    private static final long END_MAX_MS = 1_000;

    private static final long NOTHING = 0;

    private final String name;
    private final HandleSet set;
    private final LeadershipWord word;
    private final Followers followers;
    private final Alert alert;
    private final Parking parking;
    private final StopCheck stop;

    /** Null until the first alert in which the set had a wait. */
    private volatile Thread thread;

    private volatile boolean resting;

    /** The kernel has refused, or the thread could not be started: the standby looks by timer only. */
    private volatile boolean refused;

    /** @param name of the thread */
    IdleWatcher(
            String name,
            HandleSet set,
            LeadershipWord word,
            Followers followers,
            Alert alert,
            Parking parking,
            StopCheck stop) {
        this.name = name;
        this.set = set;
        this.word = word;
        this.followers = followers;
        this.alert = alert;
        this.parking = parking;
        this.stop = stop;
    }

    @Override
    public void alertExtended() {
        Thread watching = thread;
        if (watching == null) {
            if (!refused) {
                start();
            }
        } else if (resting) {
            parking.unpark(watching);
        }
    }

    /** Called by the standby, whose CPU the thread inherits. */
    private synchronized void start() {
        if (thread != null || refused) {
            return;
        }
        IdleWait wait = null;
        try {
            wait = set.newIdleWait();
            if (wait != null) {
                IdleWait own = wait;
                Thread starting = new Thread(() -> run(own), name);
                starting.setDaemon(true);
                starting.start();
                thread = starting;
            }
        } catch (Throwable failed) {
            refused(failed);
            if (wait != null) {
                wait.close();
            }
        }
    }

    private void refused(Throwable cause) {
        refused = true;
        set.failures().log("%s ends; the standby looks at the leader by timer only", name, cause);
    }

    private void run(IdleWait wait) {
        try (wait) {
            wait.begin();
            watch(wait);
        } catch (Throwable failed) {
            refused(failed);
        } finally {
            alert.watched(false);
        }
    }

    private void watch(IdleWait wait) throws Exception {
        long hinted = NOTHING;
        while (!stop.isStopping()) {
            if (!alert.isOn()) {
                rest();
                continue;
            }
            alert.watched(true);
            if (wait.await(WAIT_NS)) {
                hinted = lookAtLeader(wait, hinted);
            }
        }
    }

    /** The rest is announced before the alert is read: see {@link Alert}. */
    private void rest() {
        alert.watched(false);
        resting = true;
        if (!alert.isOn() && !stop.isStopping()) {
            parking.park(this, Deadlines.FOREVER);
        }
        resting = false;
    }

    /**
     * There are events that the leader has not harvested.
     *
     * @param hinted the word that was hinted last
     * @return the word that was hinted last
     */
    private long lookAtLeader(IdleWait wait, long hinted) {
        long seen = word.wordAcquire();
        if (seen == hinted) {
            parking.park(this, PAUSE_NS);
            return hinted;
        }
        wait.giveWay(); // a leader that was preempted runs now
        if (LeadershipWord.phase(seen) != LeadershipWord.PROCESSING || seen != word.wordAcquire()) {
            return hinted;
        }
        long beforeNs = parking.nanoTime();
        alert.hint(seen);
        followers.wakeStandby();
        if (parking.nanoTime() - beforeNs > STARVED_NS) {
            alert.watched(false);
            parking.park(this, RECOVERY_NS);
        }
        return seen;
    }

    /** Last thread of the pool, which stops: waits for the end of the watcher, so that its descriptor is given back. */
    void end() {
        Thread ending = thread;
        if (ending == null) {
            return;
        }
        parking.unpark(ending);
        boolean interrupted = false;
        try {
            ending.join(END_MAX_MS);
        } catch (InterruptedException early) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

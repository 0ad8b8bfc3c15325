package org.cabrank.lf;

import java.io.IOException;
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
 * <p>A safepoint of the JVM waits for a thread that was preempted in Java code or in the JVM, and a thread of the lowest priority may be
 * preempted for long. The watcher is in system calls and in parking nearly all the time, for which no safepoint waits. Where other
 * programs, or leaders that never wait, keep it off the CPU for {@link #STARVED_NS}, it rests for {@link #RECOVERY_NS}.
 *
 * <p>The thread is started when a leader was deposed during an alert, by the former leader, which has nothing else to do then. It ends
 * within {@link #WAIT_NS} after the pool has begun to stop.
 */
final class IdleWatcher implements Alert.Listener {
    /** Named bound: time of one wait, after which the watcher looks whether the alert is over, or the pool stops. */
    static final long WAIT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Named bound: time from the sight of events to the end of the wake-up of the standby, which takes a few context switches. */
    static final long STARVED_NS = TimeUnit.MILLISECONDS.toNanos(10);

    static final long RECOVERY_NS = TimeUnit.SECONDS.toNanos(1);

    /** Pause where nobody takes over from a leader that is blocked: no thread follows. */
    static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private static final long NOTHING = 0;

    private final String name;
    private final HandleSet set;
    private final LeadershipWord word;
    private final Followers followers;
    private final Alert alert;
    private final Parking parking;
    private final StopCheck stop;

    /** Null until a leader was deposed while the set had a wait. */
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

    /** Called by a thread whose leadership was taken over. Starts the watcher in an alert, unless there is one. Never throws. */
    void startIfNeeded() {
        if (thread == null && !refused) {
            start();
        }
    }

    private synchronized void start() {
        if (thread != null || refused || stop.isStopping()) {
            return;
        }
        try {
            IdleWait wait = alert.isOn() ? set.newIdleWait() : null;
            if (wait != null) {
                Thread starting = new Thread(null, () -> run(wait), name, 0, false);
                starting.setDaemon(true);
                starting.setPriority(Thread.NORM_PRIORITY);
                starting.setContextClassLoader(IdleWatcher.class.getClassLoader());
                thread = starting; // first: whoever ends a rest wakes this thread
                starting.start();
            }
        } catch (Throwable failed) {
            refused(failed);
        }
    }

    private void refused(Throwable cause) {
        refused = true;
        try {
            set.failures().log("%s ends; the standby looks at the leader by timer only", name, cause);
        } catch (Throwable again) {
            // no memory for a message, or no stack
        }
    }

    @Override
    public void alertExtended() {
        if (resting) {
            parking.unpark(thread);
        }
    }

    /** Any thread, when the pool stops. */
    void stop() {
        Thread ending = thread;
        if (ending != null) {
            parking.unpark(ending);
        }
    }

    private void run(IdleWait wait) {
        try {
            wait.begin();
            watch(wait);
        } catch (Throwable failed) {
            refused(failed);
        } finally {
            alert.watched(false);
        }
    }

    private void watch(IdleWait wait) throws IOException {
        long hinted = NOTHING;
        while (!stop.isStopping()) {
            if (!alert.isOn()) {
                rest();
                continue;
            }
            alert.watched(true);
            if (wait.await(WAIT_NS) && alert.isOn()) {
                hinted = lookAtLeader(wait, hinted);
            }
        }
    }

    /** The rest is announced before the alert is read: see {@link Alert}. */
    private void rest() {
        alert.watched(false);
        resting = true;
        if (!alert.isOn()) {
            pause(Deadlines.FOREVER);
        }
        resting = false;
    }

    private void pause(long ns) {
        Thread.interrupted(); // an interrupted thread cannot park
        if (!stop.isStopping()) {
            parking.park(this, ns);
        }
    }

    /**
     * There are events that the leader has not harvested.
     *
     * @param hinted the word that was hinted last
     * @return the word that was hinted last
     */
    private long lookAtLeader(IdleWait wait, long hinted) {
        long beforeNs = parking.nanoTime();
        long seen = word.wordAcquire();
        wait.giveWay(); // a leader that was preempted runs, and harvests the events itself
        long now = word.wordAcquire();
        boolean blocked = seen == now && LeadershipWord.phase(now) == LeadershipWord.PROCESSING && now != hinted;
        if (blocked) {
            alert.hint(now);
            followers.wakeStandby();
        }
        if (parking.nanoTime() - beforeNs > STARVED_NS) {
            alert.watched(false);
            pause(RECOVERY_NS);
        } else if (seen == now && !blocked) { // hinted before, or vacant: no thread follows
            pause(PAUSE_NS);
        }
        return blocked ? now : hinted;
    }
}

package org.cabrank.stream.transport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.cabrank.lf.Timer;
import org.cabrank.lf.Timers;
import org.cabrank.stream.ScheduledTask;

/** Scheduled tasks of one connection. Each has a timer in the connection's shard. An expired timer hands its task to the mailbox. */
final class ConnectionSchedule {
    private final StreamConnection connection;

    /** Guarded by this. */
    private final Set<Entry> active = new HashSet<>();

    ConnectionSchedule(StreamConnection connection) {
        this.connection = connection;
    }

    /** Adds a task, which runs once if {@code period} is null. Throws after the end, or if the shard has too many timers. */
    ScheduledTask add(Duration first, Duration period, Runnable task) {
        Entry entry = new Entry(task, period);
        synchronized (this) {
            StreamContext context = connection.context();
            long nowNs = context.nanoTime();
            entry.dueNs = nowNs + Timers.delayNs(first);
            entry.expiredNs = nowNs - 1;
            entry.timer = entry.start(context.timers(), first);
            active.add(entry);
        }
        // Checked last, because a connection closes its inbox before its schedule. A task that has run may have closed
        // the inbox itself.
        if (connection.inbox.isClosed() && !entry.hasRun) {
            entry.cancel();
            throw new RejectedExecutionException(connection + " is closed");
        }
        return entry;
    }

    /** Moves the timers to the shard of {@code target}. A timer for which there is no room stays in its shard. */
    synchronized void moveTo(StreamContext target) {
        long nowNs = target.nanoTime();
        for (Entry entry : active) {
            entry.moveTo(target.timers(), nowNs);
        }
    }

    void end() {
        List<Entry> left;
        synchronized (this) {
            left = new ArrayList<>(active);
        }
        left.forEach(Entry::cancel);
    }

    private synchronized void remove(Entry entry) {
        active.remove(entry);
    }

    private final class Entry implements ScheduledTask {
        private final Runnable task;
        private final Duration period;

        private final Mailbox.Mail mail = new Mailbox.Mail(DecoratorOutput.CallKind.ASIDE, this::run);

        private final AtomicBoolean alive = new AtomicBoolean(true);

        /** True if a run waits in the mailbox. Until it has begun, no other run is added. */
        private final AtomicBoolean mailed = new AtomicBoolean();

        private volatile boolean hasRun;

        private Timer timer;

        private long dueNs;

        /** Time when the timer last expired. Before the first expiry, a time before the first deadline. */
        private volatile long expiredNs;

        Entry(Runnable task, Duration period) {
            this.task = Objects.requireNonNull(task, "task");
            this.period = period;
        }

        private Timer start(Timers timers, Duration first) {
            try {
                return period == null
                        ? timers.after(first, expired -> expired())
                        : timers.every(first, period, expired -> expired());
            } catch (IllegalStateException closed) {
                throw new RejectedExecutionException(connection + " is closed", closed);
            }
        }

        void moveTo(Timers timers, long nowNs) {
            if (!timer.isActive()) {
                return; // the only run is in the mailbox
            }
            long leftNs = dueNs - nowNs;
            boolean missed = false; // a deadline has passed, and the former shard has not expired its timers since
            if (leftNs < 0 && period != null) {
                long periodNs = Timers.delayNs(period);
                long lateNs = -leftNs % periodNs;
                leftNs = periodNs - lateNs;
                missed = expiredNs - (nowNs - lateNs) < 0;
            }
            Timer former = timer;
            try {
                timer = start(timers, Duration.ofNanos(leftNs));
            } catch (RejectedExecutionException full) {
                return;
            }
            if (!former.cancel()) {
                timer.cancel(); // runs once, and that run has begun
            } else if (missed) {
                expired();
            }
        }

        private void expired() {
            expiredNs = connection.context().nanoTime();
            if (!alive.get() || !mailed.compareAndSet(false, true)) {
                return;
            }
            boolean added = false;
            try {
                added = connection.inbox.handOver(mail);
            } finally {
                if (!added) {
                    mailed.set(false);
                }
            }
        }

        private void run() {
            mailed.set(false);
            if (connection.closing
                    || connection.isAborted()
                    || connection.handle().isClosed()) {
                cancel();
                return;
            }
            if (period == null) {
                if (!alive.compareAndSet(true, false)) {
                    return;
                }
                remove(this);
            } else if (!alive.get()) {
                return;
            }
            hasRun = true;
            task.run();
        }

        @Override
        public boolean cancel() {
            synchronized (ConnectionSchedule.this) {
                timer.cancel(); // first, because without stack it throws and has changed nothing
                active.remove(this);
            }
            return alive.compareAndSet(true, false);
        }

        @Override
        public boolean isActive() {
            return alive.get();
        }

        @Override
        public String toString() {
            return "scheduled task " + task + " of " + connection;
        }
    }
}

package org.cabrank.socket.transport;

import java.net.SocketAddress;
import java.time.Duration;
import java.time.ZoneId;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.Timers;
import org.cabrank.lf.failure.FailureLog;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;

/**
 * A listener's pause while connections cannot be accepted: for want of descriptors or memory, or because the kernel refuses.
 * The pause ends when a connection of any shard is closed or after {@link #RETRY}: the listener's handler is called with
 * {@link Ready#READ} or {@link Ready#TIMER} then, and tries again.
 */
public final class AcceptPause {
    /** Descriptors may also become free elsewhere in the process or the system, which nobody tells us. */
    static final Duration RETRY = Duration.ofMillis(100);

    private static final System.Logger LOGGER = System.getLogger(AcceptPause.class.getName());

    private final Handle handle;
    private final SocketAddress listening;
    private final AcceptPauses pauses;
    private final AtomicBoolean known = new AtomicBoolean();
    private final AtomicInteger begun = new AtomicInteger();

    /** The number of the pause, 0: none. Also read by threads that close connections. */
    private final AtomicInteger paused = new AtomicInteger();

    /**
     * @param handle the listener's
     * @param listening for the message
     * @param pauses notified when descriptors are given back
     */
    AcceptPause(Handle handle, SocketAddress listening, AcceptPauses pauses) {
        this.pauses = pauses;
        this.handle = handle;
        this.listening = listening;
        prepareLog();
    }

    /** The warning of a shortage needs no descriptor itself: what a logger reads from files is read when the listener starts. */
    private static void prepareLog() {
        if (LOGGER.isLoggable(System.Logger.Level.WARNING)) {
            ZoneId.systemDefault().getRules();
        }
    }

    SocketAddress listening() {
        return listening;
    }

    /** Any thread, before it asks for a connection: the pause that there is now, for {@link #end}; 0: none. */
    public int current() {
        return paused.get();
    }

    /**
     * Inside the listener's handler: nothing can be accepted for now.
     *
     * @param outcome {@link AcceptOutcome#SHORTAGE} or {@link AcceptOutcome#REFUSED}
     * @param errno that accept(2) failed with, positive
     */
    void begin(AcceptOutcome outcome, int errno) {
        begin();
        if (known.compareAndSet(false, true) && pauses.add(this)) {
            FailureLog.write(LOGGER, System.Logger.Level.WARNING, () -> message(outcome, errno), null);
        }
    }

    private String message(AcceptOutcome outcome, int errno) {
        String words;
        if (errno == Errno.EMFILE || errno == Errno.ENFILE) {
            words = " pauses until a descriptor is free: accept4: " + Errno.describe(errno)
                    + "; raise the limit of open files (ulimit -n) or let idle connections time out";
        } else {
            words = " pauses for " + Timers.delayNs(RETRY) / 1_000_000 + " ms at a time: accept4: "
                    + Errno.describe(errno)
                    + (outcome == AcceptOutcome.SHORTAGE
                            ? "; free memory or raise the memory limit of this process's cgroup"
                            : "; look for a firewall or a security module (SELinux, AppArmor) that refuses connections");
        }
        return "accepting at " + listening + words + " (said once per address)";
    }

    /** Inside the listener's handler: as {@link #begin(AcceptOutcome, int)}, without a message. */
    void begin() {
        paused.set(begun.incrementAndGet());
        handle.scheduleTimer(handle.handleSet().nanoTime() + Timers.delayNs(RETRY));
    }

    /**
     * Ends a pause, because a connection that was asked for during the pause has shown that the shortage is over. If another
     * thread has begun a new pause since, the new pause stands. No timer is cancelled, because the timer may be that of the new
     * pause; a timer that expires for nothing costs a call. Any thread.
     *
     * @param pause the answer of {@link #current} before the call
     */
    public void end(int pause) {
        if (pause != 0) {
            paused.compareAndSet(pause, 0);
        }
    }

    /** Any thread: a connection was closed, so a descriptor may be free. */
    void descriptorFreed() {
        if (paused.get() != 0) {
            handle.post(Ready.READ);
        }
    }
}

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
 * Pause of a listener while the kernel refuses connections, for instance for lack of descriptors. It ends when any shard closes a
 * connection, or after {@link #RETRY}. The listener's handler is then called with {@link Ready#READ} or {@link Ready#TIMER}.
 */
public final class AcceptPause {
    /** Time after which the listener tries again, because nothing reports that another process has released descriptors. */
    static final Duration RETRY = Duration.ofMillis(100);

    private static final System.Logger LOGGER = System.getLogger(AcceptPause.class.getName());

    private final Handle handle;
    private final SocketAddress listening;
    private final AcceptPauses pauses;
    private final AtomicBoolean known = new AtomicBoolean();
    private final AtomicInteger begun = new AtomicInteger();

    /** Number of the present pause; 0 if there is none. Also read by threads that close connections. */
    private final AtomicInteger paused = new AtomicInteger();

    AcceptPause(Handle handle, SocketAddress listening, AcceptPauses pauses) {
        this.pauses = pauses;
        this.handle = handle;
        this.listening = listening;
        prepareLog();
    }

    /** Loads the logger at the start of the listener, because a warning about missing descriptors must not need a descriptor. */
    private static void prepareLog() {
        if (LOGGER.isLoggable(System.Logger.Level.WARNING)) {
            ZoneId.systemDefault().getRules();
        }
    }

    SocketAddress listening() {
        return listening;
    }

    /** Returns the number of the present pause; 0 if there is none. Called before a connection is requested. */
    public int current() {
        return paused.get();
    }

    /** Called after {@link AcceptOutcome#SHORTAGE} or {@link AcceptOutcome#REFUSED}, with a positive {@code errno}. */
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

    void begin() {
        paused.set(begun.incrementAndGet());
        handle.scheduleTimer(handle.handleSet().nanoTime() + Timers.delayNs(RETRY));
    }

    /** Called after a successful request, with the {@link #current} from before it. Ends this pause. A newer pause and its timer stay. */
    public void end(int pause) {
        if (pause != 0) {
            paused.compareAndSet(pause, 0);
        }
    }

    void descriptorFreed() {
        if (paused.get() != 0) {
            handle.post(Ready.READ);
        }
    }
}

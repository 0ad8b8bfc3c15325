package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Queue;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.TimerSpec;

/**
 * Sends at a fixed rate, whatever the server does. A request whose time has come while every connection is waiting for an
 * answer goes out late, and its latency still counts from the time it was meant for: a server that stalls cannot hide the
 * requests that would have come meanwhile. A timerfd wakes the worker, for epoll_wait's milliseconds are too coarse.
 */
final class Pacer {

    /** What epoll reports for the timer. */
    static final int TOKEN = -1;

    /** Edge-triggered: an expiry is reported once, though it is never read, while no connection is free to send. */
    static final int INTEREST = Epoll.EPOLLIN | Epoll.EPOLLET;

    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final Kernel kernel;
    private final double intervalNs;
    private final Queue<RequestConnection> idle;
    private final ByteBuffer spec = LoadConnection.buffer(TimerSpec.SIZE_BYTES);
    private final long specAddress;
    private int timerFd;
    private long startNs;
    private long sent;
    private long armedForNs;

    /** For a worker with {@code connections} of the run's connections: it sends that share of the rate. */
    Pacer(Kernel kernel, LoadSettings settings, int connections) {
        this.kernel = kernel;
        double share = (double) connections / settings.connections();
        intervalNs = NS_PER_SECOND / (settings.ratePerSecond() * share);
        idle = new ArrayDeque<>(connections + 1);
        specAddress = kernel.addressOf(spec);
    }

    void open() throws KernelException {
        timerFd = Errno.check(
                "timerfd_create",
                kernel.timerfdCreate(Events.CLOCK_MONOTONIC, Events.TFD_NONBLOCK | Events.TFD_CLOEXEC));
    }

    int timerFd() {
        return timerFd;
    }

    void close() {
        kernel.close(timerFd);
    }

    void idle(RequestConnection connection) {
        idle.add(connection);
    }

    /** Sends everything that is due and sets the timer for what comes next. */
    void sendDue(boolean stopping) throws KernelException {
        if (stopping || idle.isEmpty()) {
            return;
        }
        long nowNs = System.nanoTime();
        if (startNs == 0) {
            startNs = nowNs;
        }
        long dueNs = dueNs();
        while (dueNs - nowNs <= 0) {
            RequestConnection connection = nextOpen();
            if (connection == null) {
                return;
            }
            sent++;
            connection.request(dueNs);
            dueNs = dueNs();
        }
        arm(dueNs);
    }

    private long dueNs() {
        return startNs + (long) (sent * intervalNs);
    }

    private RequestConnection nextOpen() {
        RequestConnection connection = idle.poll();
        while (connection != null && !connection.open()) {
            connection = idle.poll();
        }
        return connection;
    }

    private void arm(long dueNs) throws KernelException {
        if (dueNs == armedForNs) {
            return;
        }
        armedForNs = dueNs;
        // System.nanoTime is CLOCK_MONOTONIC on Linux: the timer can be given the very time. Setting it also takes back
        // the expiry that has been reported, so the timer is never read.
        spec.putLong(TimerSpec.VALUE_SEC_OFFSET, dueNs / NS_PER_SECOND);
        spec.putLong(TimerSpec.VALUE_NSEC_OFFSET, dueNs % NS_PER_SECOND);
        Errno.check("timerfd_settime", kernel.timerfdSettime(timerFd, Events.TFD_TIMER_ABSTIME, specAddress, 0));
    }
}

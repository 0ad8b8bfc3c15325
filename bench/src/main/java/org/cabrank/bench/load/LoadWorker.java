package org.cabrank.bench.load;

import java.nio.ByteBuffer;
import org.HdrHistogram.Histogram;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;

/**
 * One thread of the generator with its own epoll: waits, reads, verifies, sends. Allocates nothing per request. Other
 * threads look at its {@link LoadCounters} and change the run's phase, nothing else.
 */
final class LoadWorker implements Runnable {

    private static final int EVENTS_MAX = 512;
    /** How soon a change of phase is seen when no answers come. */
    private static final int WAIT_MS_MAX = 20;

    private static final long LATENCY_NS_MAX = 60_000_000_000L;
    private static final int LATENCY_DIGITS = 3;

    private final Kernel kernel;
    private final LoadSettings settings;
    private final LoadPhase phase;
    private final LoadCounters counters = new LoadCounters();
    private final LoadErrors errors = new LoadErrors();
    private final Histogram latencies = new Histogram(1, LATENCY_NS_MAX, LATENCY_DIGITS);
    private final int firstIndex;
    private final LoadConnection[] connections;
    private final ByteBuffer events = LoadConnection.buffer(EVENTS_MAX * EpollEvent.SIZE_BYTES);
    private final ByteBuffer scratch = LoadConnection.buffer(SocketAddresses.ROOM_BYTES);
    private final long eventsAddress;
    private final long scratchAddress;
    private final Pacer pacer;
    private int epollFd;
    private RampUp rampUp;
    private int openConnections;
    private boolean connectedReported;
    private volatile String firstWrongAnswer;

    /** {@code first}: the number of this worker's first connection, {@code count}: how many it has. */
    LoadWorker(Kernel kernel, LoadSettings settings, LoadPhase phase, int first, int count) {
        this.kernel = kernel;
        this.settings = settings;
        this.phase = phase;
        firstIndex = first;
        eventsAddress = kernel.addressOf(events);
        scratchAddress = kernel.addressOf(scratch);
        connections = new LoadConnection[count];
        for (int i = 0; i < count; i++) {
            connections[i] = settings.randomChunks()
                    ? new ChunkConnection(this, first + i)
                    : new RequestConnection(this, first + i, settings.sizeBytes());
        }
        pacer = settings.ratePerSecond() == 0 || settings.randomChunks() ? null : new Pacer(kernel, settings, count);
    }

    @Override
    public void run() {
        try {
            epollFd = Errno.check("epoll_create1", kernel.epollCreate1(Epoll.EPOLL_CLOEXEC));
            try {
                beginConnecting();
                loop();
            } finally {
                closeAll();
            }
        } catch (KernelException broken) {
            errors.count(broken.getMessage());
        } finally {
            reportConnected();
            phase.workerEnded();
        }
    }

    private void beginConnecting() throws KernelException {
        if (pacer != null) {
            pacer.open();
            Errno.check("epoll_ctl", watch(Epoll.EPOLL_CTL_ADD, pacer.timerFd(), Pacer.INTEREST, Pacer.TOKEN));
        }
        rampUp = new RampUp(connections.length, settings.timeoutNs(), System.nanoTime());
    }

    private void connectNext() {
        if (rampUp.complete()) {
            return;
        }
        int domain = SocketAddresses.domain(settings.address());
        for (int next = rampUp.next(); next >= 0; next = rampUp.next()) {
            int addressBytes = SocketAddresses.encode(settings.address(), scratch);
            connections[next].connect(domain, scratchAddress, addressBytes);
        }
    }

    private void loop() throws KernelException {
        long drainUntilNs = 0;
        connectNext();
        while (openConnections > 0) {
            turn();
            long nowNs = System.nanoTime();
            if (rampUp.stalled(nowNs)) {
                giveUpConnecting();
            }
            connectNext();
            if (phase.stopping()) {
                drainUntilNs = drainUntilNs == 0 ? nowNs + settings.timeoutNs() : drainUntilNs;
                if (!awaitsAnswers() || nowNs - drainUntilNs > 0) {
                    return;
                }
            }
        }
    }

    private void turn() throws KernelException {
        if (pacer != null) {
            pacer.sendDue(phase.stopping());
        }
        int count = kernel.epollWait(epollFd, eventsAddress, EVENTS_MAX, WAIT_MS_MAX);
        if (count < 0 && count != -Errno.EINTR) {
            throw Errno.exception("epoll_wait", count);
        }
        for (int i = 0; i < count; i++) {
            int at = i * EpollEvent.SIZE_BYTES;
            int index = (int) events.getLong(at + EpollEvent.DATA_OFFSET);
            if (index != Pacer.TOKEN) {
                connections[index - firstIndex].ready(events.getInt(at + EpollEvent.EVENTS_OFFSET));
            }
        }
    }

    private boolean awaitsAnswers() {
        for (LoadConnection connection : connections) {
            if (connection.open() && connection.awaitsAnswer()) {
                return true;
            }
        }
        return false;
    }

    /** Those that have not come so far do not come any more; those that have are loaded, with an answer or without. */
    private void giveUpConnecting() {
        for (LoadConnection connection : connections) {
            connection.giveUpConnecting();
        }
    }

    private void closeAll() {
        for (LoadConnection connection : connections) {
            if (connection.open() && connection.awaitsAnswer()) {
                errors.count("answer missing");
            }
            connection.close();
        }
        if (pacer != null) {
            pacer.close();
        }
        kernel.close(epollFd);
    }

    Kernel kernel() {
        return kernel;
    }

    boolean stopping() {
        return phase.stopping();
    }

    /** {@code connection} stands: its first request shows whether the server has accepted it. */
    void first(RequestConnection connection, long nowNs) {
        if (pacer == null) {
            connection.request(nowNs);
        } else {
            pacer.idle(connection);
            connection.settle();
        }
    }

    /** {@code connection} has nothing under way: it sends the next request now, or when the rate or the others say so. */
    void idle(RequestConnection connection, long nowNs) {
        if (pacer != null) {
            pacer.idle(connection);
        } else if (rampUp.complete() && !phase.stopping()) {
            connection.request(nowNs);
        }
    }

    void answered(int bytes, long latencyNs) {
        counters.answered(bytes);
        if (phase.measuring()) {
            latencies.recordValue(Math.min(Math.max(1, latencyNs), LATENCY_NS_MAX));
        }
    }

    void chunkSent() {
        counters.answered(0);
    }

    void checked(int bytes) {
        counters.checked(bytes);
    }

    void opened() {
        openConnections++;
    }

    void closed() {
        openConnections--;
    }

    void failed(String kind) {
        errors.count(kind);
    }

    /** One more connection has come or has failed to. */
    void settled() {
        rampUp.settled(System.nanoTime());
        if (rampUp.complete()) {
            reportConnected();
            if (pacer == null) {
                for (LoadConnection connection : connections) {
                    connection.allHaveCome(System.nanoTime());
                }
            }
        }
    }

    private void reportConnected() {
        if (!connectedReported) {
            connectedReported = true;
            phase.workerConnected();
        }
    }

    void wrongAnswer(String where) {
        if (firstWrongAnswer == null) {
            firstWrongAnswer = where;
        }
    }

    int watch(int operation, int fd, int interest, int token) {
        scratch.putInt(EpollEvent.EVENTS_OFFSET, interest);
        scratch.putLong(EpollEvent.DATA_OFFSET, token);
        return kernel.epollCtl(epollFd, operation, fd, scratchAddress);
    }

    int enableNoDelay(int fd) {
        int at = SocketAddresses.ROOM_BYTES - Integer.BYTES;
        scratch.putInt(at, 1);
        return kernel.setsockopt(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, scratchAddress + at, Integer.BYTES);
    }

    /** The error that connecting ended with, positive; 0 when it worked. */
    int socketError(int fd) {
        scratch.putInt(0, 0);
        scratch.putInt(Integer.BYTES, Integer.BYTES);
        int result = kernel.getsockopt(
                fd, Sockets.SOL_SOCKET, Sockets.SO_ERROR, scratchAddress, scratchAddress + Integer.BYTES);
        return result < 0 ? -result : scratch.getInt(0);
    }

    LoadCounters counters() {
        return counters;
    }

    LoadErrors errors() {
        return errors;
    }

    /** Where the first wrong answer was, or null. */
    String firstWrongAnswer() {
        return firstWrongAnswer;
    }

    /** Only after the worker has ended. */
    Histogram latencies() {
        return latencies;
    }
}

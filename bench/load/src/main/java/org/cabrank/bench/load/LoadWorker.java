package org.cabrank.bench.load;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.cabrank.bench.load.engine.EventPoll;
import org.cabrank.bench.load.engine.LoadErrors;
import org.cabrank.bench.load.engine.LoadPhase;
import org.cabrank.bench.load.engine.PaceTimer;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.Scheduling;

/** One thread of the generator, with an epoll set. Allocates nothing per request. Other threads read its {@link Tally}. */
final class LoadWorker {

    /** Maximum wait for answers. Afterwards the worker checks the phase, and retries the connections that found no free port. */
    private static final int WAIT_MS_MAX = 20;

    /** Polls if a request is due within this time, because a wait with a timer costs some 20 us of CPU time on a virtual machine. */
    private static final long SPIN_NS = 50_000;

    private static final int NICE_MAX = 19;

    private final Kernel kernel;
    private final LoadSettings settings;
    private final LoadPhase phase;
    private final Tally tally;
    private final EventPoll poll;
    private final PaceTimer timer;
    private final ClientSockets sockets;
    private final WorkerBuffers buffers;

    private final TlsBufferPool tlsBuffers;

    private final LoadConnection[] connections;
    private final Lineup lineup;
    private final Queue<LoadConnection> withoutPort;
    private RampUp rampUp;
    private int living;
    private boolean paced;
    private boolean finishing;
    private boolean connectedReported;

    private final boolean reconnecting;

    LoadWorker(Kernel kernel, LoadSettings settings, LoadPhase phase, int number) {
        this(
                kernel,
                settings,
                settings.traffic(),
                phase,
                settings.traffic().reconnecting() > 0 ? Tally.Part.LATENCIES : Tally.Part.ALL,
                number,
                settings.threads());
    }

    static LoadWorker reconnecting(Kernel kernel, LoadSettings settings, LoadPhase phase) {
        LoadTraffic traffic = settings.traffic();
        return new LoadWorker(
                kernel,
                settings,
                LoadTraffic.churn(traffic.reconnecting(), traffic.sizeBytes()),
                phase,
                Tally.Part.COUNTS,
                0,
                1);
    }

    private LoadWorker(
            Kernel kernel,
            LoadSettings settings,
            LoadTraffic traffic,
            LoadPhase phase,
            Tally.Part part,
            int number,
            int workers) {
        this.kernel = kernel;
        this.settings = settings;
        this.phase = phase;
        tally = new Tally(phase, part, traffic.http() != null);
        reconnecting = part == Tally.Part.COUNTS;
        poll = new EventPoll(kernel);
        timer = new PaceTimer(kernel);
        sockets = new ClientSockets(kernel, settings, traffic, number * ClientSockets.SOURCES / workers);
        buffers = new WorkerBuffers(kernel);
        tlsBuffers = settings.tls() == null ? null : new TlsBufferPool(kernel, buffers);
        lineup = new Lineup(this, traffic, number, workers);
        connections = lineup.connections();
        withoutPort = new ArrayDeque<>(connections.length + 1);
        living = connections.length;
    }

    /** Runs {@code first}, and then the load. Any failure counts as an error, because the connections then get no answers. */
    void run(Runnable first) {
        try {
            first.run();
            if (reconnecting) {
                // The handshakes of this thread must not delay the threads that measure answers.
                Errno.check("setpriority", kernel.setpriority(Scheduling.PRIO_PROCESS, 0, NICE_MAX));
            }
            poll.open();
            rampUp = new RampUp(connections.length, settings.timeoutNs(), System.nanoTime());
            load();
            end();
        } catch (KernelException broken) {
            tally.failed(broken.getMessage());
        } catch (Throwable broken) {
            tally.failed(LoadErrors.ofThread(broken));
            throw broken;
        } finally {
            for (LoadConnection connection : connections) {
                connection.release();
            }
            timer.close();
            poll.close();
            reportConnected();
            phase.workerEnded();
        }
    }

    private void load() throws KernelException {
        beginConnections();
        while (living > 0 && !phase.stopping()) {
            turn(paced ? waitForDueMs() : WAIT_MS_MAX);
            if (rampUp.stalled(System.nanoTime())) {
                giveUpConnecting();
            }
            beginConnections();
            tryForPorts();
        }
    }

    private void beginConnections() {
        if (rampUp.complete()) {
            return;
        }
        for (int next = rampUp.next(); next >= 0; next = rampUp.next()) {
            connections[next].begin(System.nanoTime());
        }
    }

    private int waitForDueMs() throws KernelException {
        long nowNs = System.nanoTime();
        long dueNs = lineup.pace().sendDue(nowNs);
        if (dueNs != SendingPace.NEVER && dueNs - nowNs < SPIN_NS) {
            return 0;
        }
        timer.arm(dueNs, poll);
        return WAIT_MS_MAX;
    }

    private void turn(int waitMs) throws KernelException {
        int count = poll.await(waitMs);
        for (int i = 0; i < count; i++) {
            int place = poll.token(i);
            if (place != PaceTimer.TOKEN) {
                connections[place].ready(poll.happened(i));
            }
        }
    }

    private void tryForPorts() {
        for (int tries = withoutPort.size(); tries > 0; tries--) {
            withoutPort.remove().connect();
        }
    }

    /** Gives up the connections that are not established. Established connections get load, even if they have had no answer yet. */
    private void giveUpConnecting() {
        for (LoadConnection connection : connections) {
            connection.giveUpConnecting();
        }
    }

    private void end() throws KernelException {
        awaitAnswers(List.of(connections), System.nanoTime() + settings.timeoutNs());
        askIdle();
        finishing = true;
        for (LoadConnection connection : connections) {
            connection.finish();
        }
        long untilNs = System.nanoTime() + settings.timeoutNs();
        while (living > 0 && System.nanoTime() - untilNs < 0) {
            turn(WAIT_MS_MAX);
        }
        for (LoadConnection connection : connections) {
            connection.abandon();
        }
    }

    /** Sends a request on each idle connection, in groups as large as in the ramp-up, so that the server needs no more memory. */
    private void askIdle() throws KernelException {
        List<IdleConnection> idle = List.of(lineup.idle());
        long untilNs = System.nanoTime() + settings.timeoutNs();
        for (int asked = 0; asked < idle.size(); asked += RampUp.UNDER_WAY_MAX) {
            List<IdleConnection> few = idle.subList(asked, Math.min(asked + RampUp.UNDER_WAY_MAX, idle.size()));
            few.forEach(connection -> connection.ask(System.nanoTime()));
            awaitAnswers(few, untilNs);
        }
    }

    private void awaitAnswers(List<? extends LoadConnection> some, long untilNs) throws KernelException {
        while (awaitsAnswer(some) && System.nanoTime() - untilNs < 0) {
            turn(WAIT_MS_MAX);
        }
    }

    private static boolean awaitsAnswer(List<? extends LoadConnection> some) {
        for (LoadConnection connection : some) {
            if (connection.open() && connection.awaitsAnswer()) {
                return true;
            }
        }
        return false;
    }

    Kernel kernel() {
        return kernel;
    }

    Tally tally() {
        return tally;
    }

    EventPoll poll() {
        return poll;
    }

    ClientSockets sockets() {
        return sockets;
    }

    WorkerBuffers buffers() {
        return buffers;
    }

    TlsClientChannel tls(int fd) {
        return tlsBuffers == null ? null : new TlsClientChannel(kernel, fd, settings.tls(), tlsBuffers, buffers);
    }

    boolean stopping() {
        return phase.stopping();
    }

    boolean paced() {
        return paced && !phase.stopping();
    }

    boolean finishing() {
        return finishing;
    }

    void waitForPort(LoadConnection connection) {
        tally.counters().waitedForPort();
        withoutPort.add(connection);
    }

    void retired() {
        living--;
    }

    void leftRampUp() {
        long nowNs = System.nanoTime();
        rampUp.finished(nowNs);
        if (rampUp.complete()) {
            reportConnected();
            if (!phase.stopping()) {
                paced = true;
                lineup.pace().begin(lineup.active(), nowNs);
            }
        }
    }

    private void reportConnected() {
        if (!connectedReported) {
            connectedReported = true;
            phase.workerConnected();
        }
    }
}

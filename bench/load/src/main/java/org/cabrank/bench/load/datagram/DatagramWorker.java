package org.cabrank.bench.load.datagram;

import java.nio.ByteBuffer;
import java.util.stream.IntStream;
import org.cabrank.bench.load.engine.EventPoll;
import org.cabrank.bench.load.engine.LoadErrors;
import org.cabrank.bench.load.engine.LoadPhase;
import org.cabrank.bench.load.engine.PaceTimer;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;

/** One thread of the generator, with its flows. Allocates nothing per datagram. Other threads read the tally after the thread's end. */
final class DatagramWorker {
    private static final int WAIT_MS_MAX = 5;

    /** Maximum wait before the next send if the kernel had no room for a datagram. */
    private static final int BLOCKED_WAIT_MS = 1;

    /** Maximum number of receive calls for one flow before the next flow has its turn. */
    private static final int RECEIVES_MAX = 4;

    /** Maximum number of send calls before the worker receives answers. */
    private static final int SENDS_MAX = 64;

    private static final long LATE_NS = 1_000_000;

    private final Kernel kernel;
    private final DatagramLoad load;
    private final LoadPhase phase;
    private final FirstSign sign;
    private final int run;
    private final FlowTally tally = new FlowTally();
    private final FlowSockets sockets;
    private final SendBuffers outgoing;
    private final AnswerBuffers incoming;
    private final ByteBuffer received;
    private final ByteBuffer fill;
    private final EventPoll poll;
    private final PaceTimer timer;

    /** Null if each flow has a window. */
    private final DatagramPace pace;

    private final int[] numbersOfFlows;
    private final DatagramFlow[] flows;
    private int flowTurn;
    private boolean full;
    private boolean counting;
    private boolean finishing;
    private long countedSinceNs;
    private long lastAnswerNs;
    private long nextTurnNs;

    /** @param run distinguishes the datagrams from those of other runs */
    DatagramWorker(Kernel kernel, DatagramLoad load, LoadPhase phase, FirstSign sign, int number, int run) {
        this.kernel = kernel;
        this.load = load;
        this.phase = phase;
        this.sign = sign;
        this.run = run;
        sockets = new FlowSockets(kernel, load);
        outgoing = new SendBuffers(kernel, load, run);
        incoming = new AnswerBuffers(kernel, load);
        received = incoming.memory().duplicate();
        fill = ByteBuffer.allocateDirect(load.sizeBytes());
        DatagramContent.writeFill(fill, 0, load.sizeBytes());
        fill.position(DatagramContent.BYTES_MIN);
        poll = new EventPoll(kernel);
        timer = new PaceTimer(kernel);
        numbersOfFlows = IntStream.range(0, load.flows())
                .filter(flow -> flow % load.threads() == number)
                .toArray();
        flows = new DatagramFlow[numbersOfFlows.length];
        pace = load.window() > 0 ? null : DatagramPace.of(load, flows.length);
    }

    FlowTally tally() {
        return tally;
    }

    /** Runs {@code first}, and then the load. Any failure counts as an error. */
    void run(Runnable first) {
        try {
            first.run();
            poll.open();
            open();
            loop();
            awaitMissing();
        } catch (KernelException broken) {
            tally.errors.count(broken.getMessage());
            sign.note(DatagramGenerator.Start.REFUSED);
        } catch (Throwable broken) {
            tally.errors.count(LoadErrors.ofThread(broken));
            sign.note(DatagramGenerator.Start.REFUSED);
            throw broken;
        } finally {
            if (counting) {
                endCounting();
            }
            for (DatagramFlow flow : flows) {
                if (flow != null) {
                    tally.drops += sockets.drops(flow.fd());
                    kernel.close(flow.fd());
                }
            }
            timer.close();
            poll.close();
            phase.workerEnded();
        }
    }

    private void open() throws KernelException {
        int memory = memory();
        for (int i = 0; i < flows.length; i++) {
            flows[i] = new DatagramFlow(sockets.open(), numbersOfFlows[i], load, memory, tally);
            Errno.check("epoll_ctl", poll.watch(Epoll.EPOLL_CTL_ADD, flows[i].fd(), Epoll.EPOLLIN, i));
        }
    }

    /** Returns the number of datagrams that a flow remembers. Within limits, they are the datagrams of two loss timeouts. */
    private int memory() {
        double inTime = load.window() > 0
                ? 2.0 * load.window()
                : 2e-9 * load.lossTimeoutNs() * load.ratePerSecond() / load.flows();
        long wanted = (long) Math.min(DatagramLoad.MEMORY_MAX, Math.max(DatagramLoad.MEMORY_MIN, inTime));
        return Long.bitCount(wanted) == 1 ? (int) wanted : (int) Long.highestOneBit(wanted) << 1;
    }

    private void loop() throws KernelException {
        long nowNs = System.nanoTime();
        nextTurnNs = nowNs + load.lossTimeoutNs() / 2;
        if (pace == null) {
            for (DatagramFlow flow : flows) {
                fill(flow);
            }
        } else {
            pace.begin(nowNs);
        }
        while (!phase.stopping()) {
            countOrNot();
            turn(System.nanoTime());
            if (pace != null) {
                sendDue();
                timer.arm(pace.nextNs(), poll);
            }
            await();
        }
        countOrNot();
    }

    private void await() throws KernelException {
        int count = poll.await(full ? BLOCKED_WAIT_MS : WAIT_MS_MAX);
        full = false;
        for (int i = 0; i < count; i++) {
            int place = poll.token(i);
            if (place != PaceTimer.TOKEN) {
                receive(flows[place]);
                fillUnlessPaced(flows[place]);
            }
        }
    }

    /** After every half loss timeout, gives up old datagrams, and sends on flows whose window is not full. */
    private void turn(long nowNs) throws KernelException {
        if (nowNs - nextTurnNs < 0) {
            return;
        }
        nextTurnNs = nowNs + load.lossTimeoutNs() / 2;
        for (DatagramFlow flow : flows) {
            flow.turn();
            fillUnlessPaced(flow);
        }
    }

    private void countOrNot() {
        if (phase.measuring() && !counting) {
            counting = true;
            countedSinceNs = System.nanoTime();
            if (pace != null) {
                pace.forgive(countedSinceNs);
            }
            for (DatagramFlow flow : flows) {
                flow.beginCounting();
            }
        } else if (!phase.measuring() && counting) {
            endCounting();
        }
    }

    private void endCounting() {
        counting = false;
        tally.elapsedNs = System.nanoTime() - countedSinceNs;
        for (DatagramFlow flow : flows) {
            if (flow != null) {
                flow.endCounting();
            }
        }
    }

    /** Waits for missing answers until none has arrived for the loss timeout. Repeated answers do not extend the wait. */
    private void awaitMissing() throws KernelException {
        finishing = true;
        lastAnswerNs = System.nanoTime();
        while (underWay() && System.nanoTime() - lastAnswerNs < load.lossTimeoutNs()) {
            await();
        }
    }

    private boolean underWay() {
        for (DatagramFlow flow : flows) {
            if (flow.underWay() > 0) {
                return true;
            }
        }
        return false;
    }

    private void fillUnlessPaced(DatagramFlow flow) throws KernelException {
        if (pace == null && !finishing) {
            fill(flow);
        }
    }

    /** Sends until the window of the flow is full. After an error the flow waits for the next turn. */
    private void fill(DatagramFlow flow) throws KernelException {
        for (int room = room(flow); room > 0; room = room(flow)) {
            long nowNs = System.nanoTime();
            for (int i = 0; i < room; i++) {
                outgoing.put(i, flow, flow.next() + i, nowNs);
            }
            int result = outgoing.send(flow.fd(), room);
            if (result < 0) {
                refused(flow, result);
                return;
            }
            flow.sent(result);
        }
    }

    private int room(DatagramFlow flow) {
        return Math.min(load.window() - flow.underWay(), outgoing.count());
    }

    private void sendDue() throws KernelException {
        for (int sends = 0; sends < SENDS_MAX; sends++) {
            long nowNs = System.nanoTime();
            int due = pace.due(nowNs, outgoing.count());
            if (due == 0) {
                return;
            }
            DatagramFlow flow = flows[flowTurn];
            flowTurn = flowTurn + 1 == flows.length ? 0 : flowTurn + 1;
            for (int i = 0; i < due; i++) {
                outgoing.put(i, flow, flow.next() + i, pace.dueNs(i));
            }
            int result = outgoing.send(flow.fd(), due);
            if (result >= 0) {
                flow.sent(result);
                countTimedSends(nowNs, result);
                pace.passed(result);
            } else if (refused(flow, result)) {
                pace.passed(1); // not repeated, because the pace would stop if every send failed
            } else {
                return;
            }
        }
        full = true; // receive answers before the next send
    }

    private void countTimedSends(long nowNs, int count) {
        if (!counting) {
            return;
        }
        tally.timedSends += count;
        for (int i = 0; i < count && nowNs - pace.dueNs(i) > LATE_NS; i++) {
            tally.lateSends++;
        }
    }

    /** Handles a failed send. Returns false if the kernel has no room now. The datagram must then be sent later. */
    private boolean refused(DatagramFlow flow, int result) throws KernelException {
        switch (-result) {
            case Errno.EAGAIN, Errno.ENOBUFS, Errno.ENOMEM, Errno.EINTR -> {
                full = true;
                return false;
            }
            case Errno.EMSGSIZE, Errno.EINVAL, Errno.EIO -> {
                throw Errno.exception(
                        outgoing.isSegmented()
                                ? "sendmsg with UDP_SEGMENT of datagrams of " + load.sizeBytes() + " bytes"
                                : "sendmmsg of datagrams of " + load.sizeBytes() + " bytes",
                        result);
            }
            default -> {
                networkError(result);
                return true;
            }
        }
    }

    /** Counts a network error. An earlier datagram may have caused it, or a firewall may have refused this datagram. */
    private void networkError(int result) {
        tally.errors.count(Errno.name(-result));
        sign.note(DatagramGenerator.Start.REFUSED);
    }

    private void receive(DatagramFlow flow) {
        for (int receives = 0; receives < RECEIVES_MAX; receives++) {
            int count = incoming.receive(flow.fd());
            if (count == -Errno.EAGAIN) {
                return;
            }
            if (count < 0) {
                if (count != -Errno.EINTR) {
                    networkError(count);
                }
                continue;
            }
            long nowNs = System.nanoTime();
            for (int i = 0; i < count; i++) {
                message(flow, i, nowNs);
            }
            if (count < incoming.count()) {
                return;
            }
        }
    }

    private void message(DatagramFlow flow, int index, long nowNs) {
        int length = incoming.length(index);
        int segment = incoming.segmentBytes(index);
        int offset = incoming.offset(index);
        int at = 0;
        do {
            datagram(flow, offset + at, Math.min(segment, length - at), nowNs);
            at += segment;
        } while (at < length);
    }

    private void datagram(DatagramFlow flow, int at, int bytes, long nowNs) {
        if (!isRight(flow, at, bytes)) {
            tally.wrong++;
            return;
        }
        sign.note(DatagramGenerator.Start.ANSWERED);
        ByteBuffer memory = incoming.memory();
        if (flow.answered(DatagramContent.number(memory, at), DatagramContent.dueNs(memory, at), nowNs)) {
            lastAnswerNs = nowNs;
        }
    }

    private boolean isRight(DatagramFlow flow, int at, int bytes) {
        ByteBuffer memory = incoming.memory();
        if (bytes != load.sizeBytes()
                || DatagramContent.run(memory, at) != run
                || DatagramContent.flow(memory, at) != flow.index()) {
            return false;
        }
        long number = DatagramContent.number(memory, at);
        received.limit(at + bytes).position(at + DatagramContent.BYTES_MIN);
        return number >= 0 && number < flow.next() && received.mismatch(fill) < 0;
    }
}

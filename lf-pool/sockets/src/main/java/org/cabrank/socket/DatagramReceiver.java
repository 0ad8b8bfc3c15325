package org.cabrank.socket;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.Timers;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.socket.calls.DatagramInput;

/** Receives a socket's datagrams in batches and calls the handler. Several threads may do this at once, each with its own datagrams. */
final class DatagramReceiver implements EventHandler, ErrorQueue.Receiver {
    /** Maximum number of datagrams that a pool with one thread takes before other handles have their turn. */
    private static final int DATAGRAMS_MAX = 64;

    private static final Duration RETRY = Duration.ofMillis(100);
    private static final long NS_PER_SECOND = 1_000_000_000;

    private final UdpSocket socket;
    private final DescriptorSet set;
    private final Kernel kernel;
    private final int fd;
    private final DatagramHandler handler;
    private final LatencyHistogram ages;
    private final IdleBatches.OfShape batches;

    private final IdleBatches.OfShape batchesOfReactor;

    private final LongAdder received = new LongAdder();
    private final LongAdder truncated = new LongAdder();
    private final DatagramSender sender;
    private final LongAdder reported;
    private final LongAdder failed = new LongAdder();

    private final boolean readsErrors;

    private final AtomicReference<ErrorQueue> idleErrors = new AtomicReference<>();

    // The following fields are used by the holder of an ordered socket's claim. After a callback another thread may
    // hold the claim.

    private DatagramBatch current;

    private int currentIndex;

    private int due;

    private volatile Undelivered undelivered;

    /** Number of the reactor's receives that have failed since it brought a datagram. After each, the reactor must be asked again. */
    private int failedInARow;

    /** Datagrams behind a datagram whose handler waits for a reply. {@code input} is null if the datagrams are in memory of the batch. */
    private record Undelivered(DatagramBatch batch, DatagramInput input, IdleBatches.OfShape memory) {}

    DatagramReceiver(UdpSocket socket, DescriptorSet set, int fd, DatagramHandler handler, DatagramSender sender) {
        DatagramOptions options = socket.options();
        this.socket = socket;
        this.set = set;
        this.kernel = set.kernel();
        this.fd = fd;
        this.handler = handler;
        this.sender = sender;
        this.reported = sender.reported();
        this.ages = options.ages();
        this.batches = set.idleBatches().of(options.shape(socket.repliesFromDestination()));
        this.batchesOfReactor = set.idleBatches().of(DatagramShape.ofReactor(options.batch()));
        this.readsErrors = options.errors() || options.sendTimes();
    }

    long received() {
        return received.sum();
    }

    long truncated() {
        return truncated.sum();
    }

    long failed() {
        return failed.sum();
    }

    @Override
    public void handleEvent(Handle own, int ready) throws IOException {
        if (readsErrors && (ready & (Ready.ERROR | Ready.TIMER)) != 0) {
            due = ready;
            readErrors(own);
            if (!mayContinue()) {
                return;
            }
            due = 0;
        }
        if (sender.backlog() != null) {
            serveBacklog(ready);
            if (!mayContinue()) {
                return;
            }
        }
        if (undelivered != null) {
            deliverUndelivered();
            if (!mayContinue()) {
                return;
            }
        }
        DatagramInput input = ((DescriptorHandle) own).input();
        if (input == null || !input.isActive()) {
            receiveAll(own, batches, null);
        } else {
            receiveAll(own, batchesOfReactor, input);
        }
    }

    /** Returns false if a callback has closed the ordered socket or waited for a reply. The descriptor may then have another owner. */
    @Override
    public boolean mayContinue() {
        DescriptorHandle own = socket.handle();
        return own.isConcurrent() || !own.isClosed() && own.isHeldByCaller();
    }

    /** Leaves the datagrams and events after the present datagram to the next owner of the socket. */
    @Override
    public void beforeNestedWait(Handle own) {
        if (current != null && currentIndex + 1 < current.size()) {
            DatagramInput input = current.isOfReactor() ? ((DescriptorHandle) own).input() : null;
            IdleBatches.OfShape memory = input == null ? batches : batchesOfReactor;
            DatagramBatch behind = memory.take(kernel);
            behind.lend(socket);
            current.moveTo(behind, currentIndex + 1);
            undelivered = new Undelivered(behind, input, memory);
        }
        current = null;
        own.post(due | Ready.READ | (readsErrors ? Ready.ERROR : 0));
        due = 0;
    }

    boolean hasUndelivered() {
        return undelivered != null;
    }

    private void deliverUndelivered() {
        Undelivered taken = undelivered;
        undelivered = null;
        try {
            deliverEach(taken.batch);
        } finally {
            giveBack(taken.batch, taken.input, taken.memory);
        }
    }

    private static void giveBack(DatagramBatch batch, DatagramInput input, IdleBatches.OfShape memory) {
        batch.handled(input); // no effect unless an error prevented the handler's call
        batch.lend(null);
        memory.giveBack(batch);
    }

    /**
     * Receives and handles the waiting datagrams. A batch that recvmmsg(2) has not filled shows that the receive buffer is empty or the
     * socket has an error. In both cases an edge follows and resumes the loop. {@code input} is null if system calls receive the datagrams.
     */
    private void receiveAll(Handle own, IdleBatches.OfShape memory, DatagramInput input) throws IOException {
        DatagramBatch batch = freeOrRetry(own, memory);
        if (batch == null) {
            return;
        }
        batch.lend(socket);
        try {
            boolean several =
                    own.isConcurrent() && LeaderFollowersPool.of(set).config().threads() > 1;
            for (int taken = 0; taken < DATAGRAMS_MAX; ) {
                int count = receive(own, batch, input);
                if (count == 0) {
                    return;
                }
                boolean emptied = input == null && !batch.isFull();
                if (several) {
                    if (!emptied) {
                        // The edge is not reported again. The post lets another thread, or this thread later, receive
                        // the rest.
                        own.post(Ready.READ);
                    }
                    deliver(batch, input);
                    return;
                }
                deliver(batch, input);
                if (emptied || !mayContinue()) {
                    return; // an edge follows the next datagram, or this thread must not continue
                }
                set.setInterruptAside(); // an interrupt of the handler must not reach the next datagram
                taken += count;
            }
            own.post(Ready.READ);
        } finally {
            giveBack(batch, input, memory);
        }
    }

    private void serveBacklog(int ready) throws IOException {
        if ((ready & Ready.TIMER) != 0) {
            sender.backlog().retry();
        }
        if ((ready & Ready.WRITE) != 0) {
            try {
                handler.writable(socket);
            } catch (Throwable thrown) { // even an error: a notification must not end the socket
                failed(1, thrown);
            }
        }
    }

    private void readErrors(Handle own) throws IOException {
        int result = readErrorQueue();
        switch (-result) {
            case Errno.EAGAIN -> {
                // the queue of errors is empty
            }
            case Errno.ENOBUFS, Errno.ENOMEM -> retry(own);
            default -> {
                if (result < 0) {
                    throw Errno.exception("recvmsg from the error queue at " + socket.localAddress(), result);
                }
                own.post(Ready.ERROR); // datagrams have their turn first
            }
        }
    }

    private int readErrorQueue() {
        ErrorQueue queue = idleErrors.getAndSet(null);
        if (queue == null) {
            try {
                queue = new ErrorQueue(kernel, fd);
            } catch (OutOfMemoryError exhausted) {
                set.failures().log("there is no memory to read errors, which is tried again", exhausted);
                return -Errno.ENOMEM;
            }
        }
        try {
            return queue.read(this);
        } finally {
            idleErrors.set(queue);
        }
    }

    @Override
    public void sent(long number, long timeNs) {
        try {
            handler.sent(socket, number, timeNs);
        } catch (Throwable thrown) { // even an error: a failing callback must not end the socket
            failed(1, thrown);
        }
    }

    @Override
    public void sentByDevice(long number, long timeNs) {
        try {
            handler.sentByDevice(socket, number, timeNs);
        } catch (Throwable thrown) { // even an error: a failing callback must not end the socket
            failed(1, thrown);
        }
    }

    @Override
    public void error(DatagramError error) {
        if (error.errno() == Errno.EMSGSIZE && error.origin() == DatagramError.Origin.LOCAL && sender.isDoubled()) {
            return;
        }
        reported.increment();
        try {
            handler.error(socket, error);
        } catch (Throwable thrown) { // even an error: a failing callback must not end the socket
            failed(1, thrown);
        }
    }

    private void watchAgain(Handle own) throws IOException {
        DescriptorHandle handle = (DescriptorHandle) own;
        if (handle.interest() == 0) {
            set.interest(handle, Ready.READ);
        }
    }

    private DatagramBatch freeOrRetry(Handle own, IdleBatches.OfShape memory) throws IOException {
        try {
            return memory.take(kernel);
        } catch (OutOfMemoryError exhausted) {
            set.failures().log("there is no memory to receive datagrams, which is tried again", exhausted);
            retry(own);
            return null;
        }
    }

    /** Ends the watching for input until a receive succeeds, because a oneshot set would report the same input again at once. */
    private void retry(Handle own) throws IOException {
        if (set.deactivation() == Deactivation.ONESHOT && !own.isConcurrent()) {
            set.interest((DescriptorHandle) own, 0);
        }
        own.scheduleTimer(set.nanoTime() + Timers.delayNs(RETRY));
    }

    @Override
    public void handleClosed(Handle own, Throwable cause) {
        socket.release();
        Undelivered dropped = undelivered;
        if (dropped != null) {
            undelivered = null;
            giveBack(dropped.batch, dropped.input, dropped.memory);
        }
        handler.closed(socket, cause);
    }

    /** Returns 0 if no datagram is available now. Handles each errno of recvmmsg(2) and recvmsg(2). */
    private int receive(Handle own, DatagramBatch batch, DatagramInput input) throws IOException {
        int result = 0;
        for (int asked = input == null ? 0 : failedInARow; asked < DATAGRAMS_MAX; asked++) {
            result = input == null ? batch.receive(fd) : batch.take(input);
            if (result >= 0 || result == -Errno.EAGAIN) {
                watchAgain(own);
            }
            if (result >= 0) {
                if (input != null && result > 0) {
                    failedInARow = 0;
                }
                return result;
            }
            switch (-result) {
                case Errno.EAGAIN -> {
                    return 0;
                }
                case Errno.EINTR -> {
                    // again
                }
                case Errno.EACCES,
                        Errno.ECONNREFUSED,
                        Errno.ECONNRESET,
                        Errno.EHOSTDOWN,
                        Errno.EHOSTUNREACH,
                        Errno.EMSGSIZE,
                        Errno.ENETDOWN,
                        Errno.ENETUNREACH,
                        Errno.ENONET,
                        Errno.ENOPROTOOPT,
                        Errno.EOPNOTSUPP,
                        Errno.EPROTO -> {
                    if (input != null) {
                        failedInARow = asked + 1;
                    }
                    noteReport(own);
                    if (!mayContinue()) {
                        return 0;
                    }
                }
                case Errno.ENOBUFS, Errno.ENOMEM -> {
                    retry(own); // no edge reports when there is memory again
                    return 0;
                }
                default -> throw failure(input, result);
            }
        }
        if (input != null) {
            failedInARow = 0;
        }
        set.failures().log("receiving datagrams fails again and again, which is tried again", failure(input, result));
        retry(own); // if a security module denies each receive, a thread would try without end
        return 0;
    }

    private IOException failure(DatagramInput input, int result) {
        return Errno.exception((input == null ? "recvmmsg at " : "recvmsg at ") + socket.localAddress(), result);
    }

    /** Reads the socket's error queue, because perhaps no other event reports the error. If it has no queue, counts the error. */
    private void noteReport(Handle own) throws IOException {
        if (!socket.options().errors()) {
            reported.increment();
        } else {
            readErrors(own);
        }
    }

    private void deliver(DatagramBatch batch, DatagramInput input) {
        int count = batch.size();
        received.add(count);
        note(batch, count);
        try {
            handler.batch(socket, batch);
        } catch (Throwable thrown) { // even an error: a batch must not end the socket
            failed(count, thrown);
        } finally {
            batch.handled(input);
        }
    }

    private void note(DatagramBatch batch, int count) {
        long now = ages == null ? 0 : realTimeNs();
        for (int i = 0; i < count; i++) {
            Datagram datagram = batch.get(i);
            if (datagram.isTruncated()) {
                truncated.increment();
            }
            long stamp = ages == null ? 0 : datagram.receiveTimeNs();
            if (stamp != 0) {
                ages.record(Math.max(0, now - stamp)); // CLOCK_REALTIME may be set back
            }
        }
    }

    private static long realTimeNs() {
        Instant now = Instant.now();
        return now.getEpochSecond() * NS_PER_SECOND + now.getNano();
    }

    /** Calls the handler for each datagram until {@link #mayContinue} returns false. A call that fails does not end the loop. */
    void deliverEach(DatagramBatch batch) {
        boolean ordered = !socket.handle().isConcurrent();
        int count = batch.size();
        for (int i = 0; i < count; i++) {
            if (ordered) {
                current = batch;
                currentIndex = i;
            }
            try {
                handler.datagram(socket, batch.get(i));
            } catch (Throwable thrown) { // even an error: one datagram must not end the socket
                failed(1, thrown);
            }
            if (!mayContinue()) {
                return;
            }
            if (i + 1 < count) {
                set.setInterruptAside(); // an interrupt of the handler must not reach the next datagram
            }
        }
        if (ordered) {
            current = null;
        }
    }

    private void failed(int count, Throwable thrown) {
        failed.add(count);
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        set.setInterruptAside(); // an interrupt would close a channel that a logger writes to
        set.failures().log("the handler of " + socket + " failed, the datagram is lost", thrown);
    }
}

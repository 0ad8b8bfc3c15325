package org.cabrank.socket;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.LongAdder;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Handle;
import org.cabrank.lf.Ready;
import org.cabrank.lf.Timers;
import org.cabrank.lf.observe.LatencyHistogram;

/**
 * Receives the datagrams of a socket in batches and calls the handler. Each recvmmsg(2) takes datagrams of its own, so several
 * threads may be inside.
 */
final class DatagramReceiver implements EventHandler, ErrorQueue.Receiver {
    /** Named bound: datagrams taken in one go by the only thread of a pool, before other handles have their turn. */
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

    /** Batches for datagrams that the reactor receives. */
    private final IdleBatches.OfShape batchesOfReactor;

    private final LongAdder received = new LongAdder();
    private final LongAdder truncated = new LongAdder();
    private final DatagramSender sender;
    private final LongAdder reported;
    private final LongAdder failed = new LongAdder();

    /** Null unless the handler hears of errors. */
    private final ErrorQueue errors;

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
        this.batches = set.idleBatches().of(options.shape());
        this.batchesOfReactor = set.idleBatches().of(DatagramShape.ofReactor(options.batch()));
        this.errors = options.errors() || options.sendTimes() ? new ErrorQueue(kernel, fd) : null;
    }

    /** Calls of the handler that have waited for a reply. By the thread that has an ordered socket to itself, until it waits. */
    private int handOvers;

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
        if (errors != null && (ready & (Ready.ERROR | Ready.TIMER)) != 0) {
            readErrors(own);
        }
        if (sender.backlog() != null) {
            serveBacklog(ready);
        }
        DatagramInput input = ((DescriptorHandle) own).input();
        if (input == null || !input.isActive()) {
            receiveAll(own, batches, null);
        } else {
            receiveAll(own, batchesOfReactor, input);
        }
    }

    /** The handler waits for a reply: whoever gets the socket next receives the datagrams behind those in hand. */
    @Override
    public void beforeNestedWait(Handle own) {
        handOvers++;
        own.post(Ready.READ);
    }

    /**
     * Receives and handles the datagrams that wait. A recvmmsg(2) that has received fewer datagrams than it has room for has found the
     * receive buffer empty, or has met an error that arrived meanwhile: an edge follows the next datagram as well as that error.
     *
     * @param input null: datagrams are received by system calls
     */
    private void receiveAll(Handle own, IdleBatches.OfShape memory, DatagramInput input) throws IOException {
        DatagramBatch batch = freeOrRetry(own, memory);
        if (batch == null) {
            return;
        }
        batch.lend(socket);
        try {
            boolean several = own.isConcurrent() && set.pool().config().threads() > 1;
            for (int taken = 0; taken < DATAGRAMS_MAX; ) {
                int count = receive(own, batch, input);
                if (count == 0) {
                    return;
                }
                boolean emptied = input == null && !batch.isFull();
                if (several) {
                    if (!emptied) {
                        // An edge came once for all that wait: whoever is free takes the next. Nobody is: this thread.
                        own.post(Ready.READ);
                    }
                    deliver(batch, input);
                    return;
                }
                int handOversBefore = handOvers;
                deliver(batch, input);
                if (emptied || handOvers != handOversBefore) {
                    return; // an edge follows the next datagram; or the socket is another thread's, or closed
                }
                set.setInterruptAside(); // left by the handler, and not for the next datagram
                taken += count;
            }
            own.post(Ready.READ);
        } finally {
            batch.handled(input); // datagrams that an error has kept from the handler
            batch.lend(null);
            memory.giveBack(batch);
        }
    }

    private void serveBacklog(int ready) throws IOException {
        if ((ready & Ready.TIMER) != 0) {
            sender.backlog().retry();
        }
        if ((ready & Ready.WRITE) != 0) {
            try {
                handler.writable(socket);
            } catch (
                    Throwable thrown) { // StackOverflowError and OutOfMemoryError, too: a notification must not end the
                // socket
                failed(1, thrown);
            }
        }
    }

    private void readErrors(Handle own) throws IOException {
        int result = errors.read(this);
        switch (-result) {
            case Errno.EAGAIN -> {
                // none any more
            }
            case Errno.ENOBUFS, Errno.ENOMEM -> retry(own);
            default -> {
                if (result < 0) {
                    throw Errno.exception("recvmsg from the error queue at " + socket.localAddress(), result);
                }
                own.post(Ready.ERROR); // datagrams get their turn first
            }
        }
    }

    @Override
    public void sent(long number, long timeNs) {
        try {
            handler.sent(socket, number, timeNs);
        } catch (Throwable thrown) { // StackOverflowError and OutOfMemoryError, too: a time must not end the socket
            failed(1, thrown);
        }
    }

    @Override
    public void sentByDevice(long number, long timeNs) {
        try {
            handler.sentByDevice(socket, number, timeNs);
        } catch (Throwable thrown) { // as in sent
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
        } catch (Throwable thrown) { // StackOverflowError and OutOfMemoryError, too: an error must not end the socket
            failed(1, thrown);
        }
    }

    /** Null: there is no memory for another thread's batch, and the handler is called again later. */
    private DatagramBatch freeOrRetry(Handle own, IdleBatches.OfShape memory) {
        try {
            return memory.take(kernel);
        } catch (OutOfMemoryError exhausted) {
            set.failures().log("there is no memory to receive datagrams, which is tried again", exhausted);
            retry(own);
            return null;
        }
    }

    private void retry(Handle own) {
        own.scheduleTimer(set.nanoTime() + Timers.delayNs(RETRY));
    }

    @Override
    public void handleClosed(Handle own, Throwable cause) {
        socket.release();
        handler.closed(socket, cause);
    }

    /** Receives datagrams and handles each errno of recvmmsg(2) and recvmsg(2). Returns 0 if none is available now. */
    private int receive(Handle own, DatagramBatch batch, DatagramInput input) throws IOException {
        for (int asked = 0; asked < DATAGRAMS_MAX; asked++) {
            int result = input == null ? batch.receive(fd) : batch.take(input);
            if (result >= 0) {
                return result;
            }
            switch (-result) {
                case Errno.EAGAIN -> {
                    return 0;
                }
                case Errno.EINTR -> {
                    // again
                }
                // A network error about a datagram that was sent earlier; the kernel reports each error once.
                case Errno.ECONNREFUSED,
                        Errno.ECONNRESET,
                        Errno.EHOSTDOWN,
                        Errno.EHOSTUNREACH,
                        Errno.EMSGSIZE,
                        Errno.ENETDOWN,
                        Errno.ENETUNREACH,
                        Errno.ENOPROTOOPT,
                        Errno.EPROTO -> noteReport(own);
                case Errno.ENOBUFS, Errno.ENOMEM -> {
                    retry(own); // no edge will tell when there is some
                    return 0;
                }
                default ->
                    throw Errno.exception(
                            (input == null ? "recvmmsg at " : "recvmsg at ") + socket.localAddress(), result);
            }
        }
        own.post(Ready.READ); // other handles get their turn first
        return 0;
    }

    /** Counts an error; or reads the error queue, which tells of it too, and which another event may not tell of. */
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
        } catch (Throwable thrown) { // StackOverflowError and OutOfMemoryError, too: a batch must not end the socket
            failed(count, thrown);
        } finally {
            batch.handled(input);
        }
    }

    /** Counts truncated datagrams, and records how old the datagrams are. */
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

    /** Calls the handler for each datagram; one that fails does not affect the next. */
    void deliverEach(DatagramBatch batch) {
        int count = batch.size();
        for (int i = 0; i < count; i++) {
            try {
                handler.datagram(socket, batch.get(i));
            } catch (Throwable thrown) { // StackOverflowError and OutOfMemoryError, too: one datagram must not end the
                // socket
                failed(1, thrown);
            }
            if (i + 1 < count) {
                set.setInterruptAside(); // left by the handler, and not for the next datagram
            }
        }
    }

    private void failed(int count, Throwable thrown) {
        failed.add(count);
        if (thrown instanceof InterruptedException) {
            Thread.currentThread().interrupt();
        }
        set.setInterruptAside(); // a logger that writes to a channel would close it
        set.failures().log("the handler of " + socket + " failed, the datagram is lost", thrown);
    }
}

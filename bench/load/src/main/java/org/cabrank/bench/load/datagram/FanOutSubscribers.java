package org.cabrank.bench.load.datagram;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import org.cabrank.bench.load.engine.EventPoll;
import org.cabrank.bench.load.engine.LoadErrors;
import org.cabrank.bench.load.engine.NativeBuffers;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;

/**
 * TCP subscribers of a fan-out that passes on the datagrams of a {@link DatagramGenerator}: they read frames, find what is missing by the
 * numbers in the datagrams, and record the time from the due time of a datagram to the read of its frame. Frames with datagrams of
 * another run or of another publisher are counted, and not used. Stalled subscribers connect and read nothing. One thread; no allocation
 * for a frame. A controller calls {@link #start}, {@link #awaitConnected}, {@link #measuring}, {@link #finish}.
 *
 * <pre>
 * 0        4       6
 * | length | group | datagram |      big-endian; length: number of bytes behind it
 * </pre>
 */
public final class FanOutSubscribers implements Runnable {
    private static final int WAIT_MS_MAX = 20;

    /** Named bound: time for which frames are read at the end, because another publisher may send without a pause. */
    private static final long END_NS_MAX = 500_000_000L;

    private static final int FRAME_HEADER_BYTES = Integer.BYTES + Short.BYTES;

    /** Bytes that a subscriber reads at a time; more than the largest frame. */
    private static final int BUFFER_BYTES = 256 << 10;

    /** Receive buffer of a stalled subscriber in bytes: its queue in the gateway fills early. */
    private static final int STALLED_BUFFER_BYTES = 8 << 10;

    private static final int OPTION_OFFSET = SocketAddresses.ROOM_BYTES;
    private static final long LATENCY_NS_MAX = 60_000_000_000L;
    private static final int LATENCY_DIGITS = 3;

    private final Kernel kernel;
    private final InetSocketAddress gateway;
    private final int flows;
    private final int run = DatagramGenerator.newRun();
    private final Reader[] readers;
    private final int[] stalled;
    private final EventPoll poll;
    private final ByteBuffer scratch = NativeBuffers.of(OPTION_OFFSET + Long.BYTES);
    private final long scratchAddress;
    private final LoadErrors errors = new LoadErrors();
    private final Histogram latencies = new Histogram(1, LATENCY_NS_MAX, LATENCY_DIGITS);
    private final CountDownLatch connected = new CountDownLatch(1);
    private final Thread thread = new Thread(this, "load-subscribers");

    /** The measured interval in ns: datagrams that are due in that time count, whenever they are read. */
    private volatile long beginNs = Long.MAX_VALUE;

    private volatile long endNs = Long.MAX_VALUE;
    private volatile boolean stopping;

    /**
     * Result of the subscribers that read, for the measured interval.
     *
     * @param frames number of frames read that had datagrams of the run
     * @param lost number of datagrams between the first and the last one of a subscriber that did not come
     * @param reordered number of datagrams that came behind a later one of their flow
     * @param duplicated number of datagrams that came again to the same subscriber
     * @param foreign number of frames with datagrams of another publisher or of another run
     * @param starved number of subscribers that read no frame of the measured interval
     * @param latencies time in ns from the due time of a datagram to the read of its first frame
     * @param errors number of errors of each kind, such as ECONNRESET; empty if all connections stood to the end
     */
    public record Outcome(
            long frames,
            long lost,
            long reordered,
            long duplicated,
            long foreign,
            int starved,
            Histogram latencies,
            Map<String, Long> errors) {
        /** Lost part of the datagrams, 0 to 1. */
        public double lossRatio() {
            long expected = frames - duplicated + lost;
            return expected == 0 ? 0 : (double) lost / expected;
        }
    }

    /**
     * @param flows number of flows of the generator
     * @param reading number of subscribers that read, from 1
     * @param stalling number of subscribers that do not, from 0
     */
    public FanOutSubscribers(Kernel kernel, InetSocketAddress gateway, int flows, int reading, int stalling) {
        this.kernel = kernel;
        this.gateway = gateway;
        this.flows = flows;
        this.readers = new Reader[reading];
        this.stalled = new int[stalling];
        this.poll = new EventPoll(kernel);
        this.scratchAddress = kernel.addressOf(scratch);
    }

    /** Run that the datagrams of the generator must carry ({@link DatagramGenerator#start}). */
    public int runId() {
        return run;
    }

    /** Begins to connect and to read. */
    public void start() {
        thread.start();
    }

    /** Waits until all subscribers are connected, or one could not be. */
    public void awaitConnected() throws InterruptedException {
        connected.await();
    }

    /** Begins or ends the measured interval. All figures are of datagrams that are due in that interval. */
    public void measuring(boolean now) {
        if (now) {
            beginNs = System.nanoTime();
        } else {
            endNs = System.nanoTime();
        }
    }

    private boolean isMeasured(long atNs) {
        return atNs >= beginNs && atNs < endNs;
    }

    /** Reads what has come, for {@value #END_NS_MAX} ns at most, and closes the connections. */
    public Outcome finish() throws InterruptedException {
        stopping = true;
        thread.join();
        long frames = 0;
        long lost = 0;
        long reordered = 0;
        long duplicated = 0;
        long foreign = 0;
        int starved = 0;
        for (Reader reader : readers) {
            if (reader != null) {
                frames += reader.frames;
                foreign += reader.foreign;
                starved += reader.frames == 0 ? 1 : 0;
                for (ReceivedNumbers flow : reader.numbers) {
                    lost += flow.lost();
                    reordered += flow.reordered();
                    duplicated += flow.repeated();
                }
            }
        }
        return new Outcome(frames, lost, reordered, duplicated, foreign, starved, latencies, errors.counts());
    }

    @Override
    public void run() {
        Arrays.fill(stalled, -1);
        try {
            poll.open();
            for (int i = 0; i < readers.length; i++) {
                readers[i] = new Reader(connect(0));
                Errno.check("epoll_ctl", poll.watch(Epoll.EPOLL_CTL_ADD, readers[i].fd, Epoll.EPOLLIN, i));
            }
            for (int i = 0; i < stalled.length; i++) {
                stalled[i] = connect(STALLED_BUFFER_BYTES);
            }
            connected.countDown();
            while (!stopping) {
                readReady(WAIT_MS_MAX);
            }
            long lastNs = System.nanoTime() + END_NS_MAX;
            int ready;
            do { // frames that have come before the end
                ready = readReady(0);
            } while (ready > 0 && System.nanoTime() - lastNs < 0);
        } catch (KernelException broken) {
            errors.count(broken.getMessage());
        } finally {
            for (Reader reader : readers) {
                if (reader != null) {
                    reader.close();
                }
            }
            for (int fd : stalled) {
                if (fd >= 0) {
                    kernel.close(fd);
                }
            }
            poll.close();
            connected.countDown();
        }
    }

    /** Reads once from each connection that has something, and returns the number of these connections. */
    private int readReady(int timeoutMs) throws KernelException {
        int ready = poll.await(timeoutMs);
        for (int i = 0; i < ready; i++) {
            readers[poll.token(i)].read();
        }
        return ready;
    }

    /** Connects, and then makes the socket one that does not block. */
    private int connect(int receiveBufferBytes) throws KernelException {
        int fd = Errno.check(
                "socket",
                kernel.socket(SocketAddresses.domain(gateway), Sockets.SOCK_STREAM | Sockets.SOCK_CLOEXEC, 0));
        boolean made = false;
        try {
            if (receiveBufferBytes > 0) { // before the connection, which agrees on the window
                scratch.putInt(OPTION_OFFSET, receiveBufferBytes);
                Errno.check(
                        "setsockopt SO_RCVBUF",
                        kernel.setsockopt(
                                fd,
                                Sockets.SOL_SOCKET,
                                Sockets.SO_RCVBUF,
                                scratchAddress + OPTION_OFFSET,
                                Integer.BYTES));
            }
            int length = SocketAddresses.encode(gateway, scratch);
            Errno.check("connect to " + gateway, kernel.connect(fd, scratchAddress, length));
            made = true;
            return fd;
        } finally {
            if (!made) {
                kernel.close(fd);
            }
        }
    }

    /** A subscriber that reads. Accessed by the thread of the subscribers only, until that has ended. */
    private final class Reader {
        private final ByteBuffer buffer = NativeBuffers.of(BUFFER_BYTES);
        private final long address = kernel.addressOf(buffer);
        private final ReceivedNumbers[] numbers = new ReceivedNumbers[flows];
        private int fd;
        private int filled;
        private long frames;
        private long foreign;

        Reader(int fd) {
            this.fd = fd;
            Arrays.setAll(numbers, flow -> new ReceivedNumbers());
        }

        void read() {
            int count = kernel.recv(fd, address + filled, BUFFER_BYTES - filled, Sockets.MSG_DONTWAIT);
            if (count == -Errno.EAGAIN || count == -Errno.EINTR) {
                return;
            }
            if (count <= 0) {
                errors.count(count == 0 ? "closed by the gateway" : Errno.name(-count));
                close();
                return;
            }
            filled += count;
            long nowNs = System.nanoTime();
            int at = 0;
            while (filled - at >= FRAME_HEADER_BYTES) {
                int length = buffer.order(ByteOrder.BIG_ENDIAN).getInt(at);
                buffer.order(ByteOrder.LITTLE_ENDIAN);
                if (length < Short.BYTES || length > BUFFER_BYTES - Integer.BYTES) {
                    errors.count("wrong frame: a length that no frame of a datagram has");
                    close();
                    return;
                }
                if (filled - at < Integer.BYTES + length) {
                    break;
                }
                datagram(at + FRAME_HEADER_BYTES, length - Short.BYTES, nowNs);
                at += Integer.BYTES + length;
            }
            if (at > 0) {
                buffer.put(0, buffer, at, filled - at);
                filled -= at;
            }
        }

        private void datagram(int at, int bytes, long nowNs) {
            if (!isOfRun(at, bytes)) {
                foreign += isMeasured(nowNs) ? 1 : 0;
                return;
            }
            if (!isMeasured(DatagramContent.dueNs(buffer, at))) {
                return;
            }
            frames++;
            boolean first = numbers[DatagramContent.flow(buffer, at)].add(DatagramContent.number(buffer, at));
            if (first) {
                latencies.recordValue(Math.min(Math.max(1, nowNs - DatagramContent.dueNs(buffer, at)), LATENCY_NS_MAX));
            }
        }

        private boolean isOfRun(int at, int bytes) {
            if (bytes < DatagramContent.BYTES_MIN || DatagramContent.run(buffer, at) != run) {
                return false;
            }
            int flow = DatagramContent.flow(buffer, at);
            return flow >= 0 && flow < flows && DatagramContent.number(buffer, at) >= 0;
        }

        void close() {
            if (fd >= 0) {
                kernel.close(fd);
                fd = -1;
            }
        }
    }
}

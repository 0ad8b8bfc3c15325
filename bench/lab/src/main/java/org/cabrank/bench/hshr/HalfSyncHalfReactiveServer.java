package org.cabrank.bench.hshr;

import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.Handle;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Ready;

/** An echo server with one I/O thread, a queue and workers. See the package's description. */
public final class HalfSyncHalfReactiveServer implements AutoCloseable {

    /** Requests that may wait for a worker. A connection has one at a time, so fewer connections never fill it. */
    public static final int QUEUE_CAPACITY = 1_024;

    /** Time in ns for which one worker spins before it sleeps, if a CPU besides the I/O thread's is available. */
    public static final long SPIN_NS = 20_000;

    private final Kernel kernel;
    private final EpollHandleSet set;
    private final LeaderFollowersPool ioThread;
    private final RequestQueue<QueuedConnection> queue;
    private final Thread[] workers;
    private final InetSocketAddress address;
    private final Handle listener;

    /**
     * Listens and serves.
     *
     * @param workers threads that answer, besides the one that reads
     * @throws IOException when the kernel refuses to listen
     */
    public static HalfSyncHalfReactiveServer start(
            Kernel kernel, InetSocketAddress address, int backlog, int workers, HandlerWork work) throws IOException {
        return start(kernel, address, backlog, workers, QUEUE_CAPACITY, work);
    }

    static HalfSyncHalfReactiveServer start(
            Kernel kernel, InetSocketAddress address, int backlog, int workers, int capacity, HandlerWork work)
            throws IOException {
        EpollHandleSet set = new EpollHandleSet(kernel, Deactivation.CLAIM);
        int fd = -1;
        try {
            fd = Errno.check(
                    "socket",
                    kernel.socket(
                            SocketAddresses.domain(address),
                            Sockets.SOCK_STREAM | Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC,
                            0));
            InetSocketAddress bound = listen(kernel, fd, address, backlog);
            return new HalfSyncHalfReactiveServer(kernel, set, fd, bound, workers, capacity, work);
        } catch (IOException | RuntimeException refused) {
            if (fd >= 0) {
                kernel.close(fd);
            }
            set.close();
            throw refused;
        }
    }

    private HalfSyncHalfReactiveServer(
            Kernel kernel,
            EpollHandleSet set,
            int listenFd,
            InetSocketAddress address,
            int workers,
            int capacity,
            HandlerWork work)
            throws IOException {
        this.kernel = kernel;
        this.set = set;
        this.address = address;
        this.workers = new Thread[workers];
        queue = new RequestQueue<>(capacity, this.workers, spinNs());
        ioThread = new LeaderFollowersPool(set, PoolConfig.of("hshr-io", 1));
        WorkerReceiveBuffers buffers = new WorkerReceiveBuffers(kernel::addressOf);
        Acceptor acceptor =
                new Acceptor(kernel, set, listenFd, fd -> new QueuedConnection(kernel, fd, ioThread, queue, buffers));
        listener = set.register(listenFd, Ready.READ, acceptor);
        for (int i = 0; i < workers; i++) {
            int number = i;
            this.workers[i] = new Thread(() -> work(number, work), "hshr-worker-" + i);
        }
        for (Thread worker : this.workers) {
            worker.start();
        }
        ioThread.start();
    }

    private static InetSocketAddress listen(Kernel kernel, int fd, InetSocketAddress wanted, int backlog)
            throws IOException {
        ByteBuffer memory = direct(SocketAddresses.ROOM_BYTES);
        ByteBuffer number = direct(Integer.BYTES);
        long numberAddress = kernel.addressOf(number);
        number.putInt(0, 1);
        Errno.check(
                "setsockopt SO_REUSEADDR",
                kernel.setsockopt(fd, Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR, numberAddress, Integer.BYTES));
        // Accepted sockets inherit it.
        Errno.check(
                "setsockopt TCP_NODELAY",
                kernel.setsockopt(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, numberAddress, Integer.BYTES));
        int length = SocketAddresses.encode(wanted, memory);
        Errno.check("bind to " + wanted, NativeArgument.pass(kernel, memory, room -> kernel.bind(fd, room, length)));
        Errno.check("listen at " + wanted, kernel.listen(fd, backlog));
        number.putInt(0, SocketAddresses.ROOM_BYTES);
        Errno.check(
                "getsockname",
                NativeArgument.pass(kernel, memory, room -> kernel.getsockname(fd, room, numberAddress)));
        Reference.reachabilityFence(number);
        return (InetSocketAddress) SocketAddresses.decode(memory, number.getInt(0));
    }

    private static ByteBuffer direct(int bytes) {
        return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
    }

    /** On a single CPU a worker that looks on keeps the I/O thread from reading what it looks for. */
    private static long spinNs() {
        return Runtime.getRuntime().availableProcessors() > 1 ? SPIN_NS : 0;
    }

    private void work(int number, HandlerWork work) {
        for (QueuedConnection next = queue.take(number); next != null; next = queue.take(number)) {
            next.answer(work);
        }
    }

    public InetSocketAddress address() {
        return address;
    }

    /** Description of the server's threads for reports. */
    public String description() {
        return "epoll through " + kernel.name() + ", 1 I/O thread + " + workers.length
                + (workers.length == 1 ? " worker" : " workers") + ", spin " + spinNs() / 1_000 + "us";
    }

    /** Number of times that the I/O thread has waited because the queue was full. */
    public long queueFullCount() {
        return queue.fullCount();
    }

    /** Accepts and reads nothing more, answers every request that was read, and closes what is left. */
    @Override
    public void close() {
        listener.close();
        ioThread.close();
        queue.close();
        boolean interrupted = false;
        for (Thread worker : workers) {
            while (worker.isAlive()) {
                try {
                    worker.join();
                } catch (InterruptedException whileWaiting) {
                    interrupted = true;
                }
            }
        }
        set.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package org.cabrank.bench.model;

import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.EpollEvent;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;

/**
 * What the kernel's part of a request costs, measured on the calling thread.
 *
 * @param harvestNs an epoll_wait, without what each event adds
 * @param eventNs what each event adds to it, and a read and a write over loopback, with what the kernel does in the writer's time
 *     to deliver it
 */
record KernelTimings(double harvestNs, double eventNs) {

    /** Ready events of the larger harvest. */
    static final int MANY = 32;

    static final int MESSAGE_BYTES = 64;
    private static final int BATCHES = 400;
    private static final int CALLS = 50;

    static KernelTimings measure(Kernel kernel) throws IOException {
        double oneNs = harvestNs(kernel, 1);
        double perEventNs = Math.max(0, (harvestNs(kernel, MANY) - oneNs) / (MANY - 1));
        return new KernelTimings(Math.max(0, oneNs - perEventNs), perEventNs + readAndWriteNs());
    }

    /** Of a call that finds so many events. */
    private static double harvestNs(Kernel kernel, int ready) throws IOException {
        ByteBuffer events =
                ByteBuffer.allocateDirect(MANY * EpollEvent.SIZE_BYTES).order(ByteOrder.nativeOrder());
        long address = kernel.addressOf(events);
        int[] counters = new int[ready];
        int epoll = checked("epoll_create1", kernel.epollCreate1(Epoll.EPOLL_CLOEXEC));
        try {
            for (int i = 0; i < ready; i++) {
                counters[i] = -1;
            }
            for (int i = 0; i < ready; i++) {
                counters[i] = checked("eventfd", kernel.eventfd(1, 0));
                events.putInt(EpollEvent.EVENTS_OFFSET, Epoll.EPOLLIN); // level-triggered: ready each time
                checked("epoll_ctl", kernel.epollCtl(epoll, Epoll.EPOLL_CTL_ADD, counters[i], address));
            }
            return CostCalibration.shortest(BATCHES, () -> {
                long startNs = System.nanoTime();
                for (int call = 0; call < CALLS; call++) {
                    if (kernel.epollWait(epoll, address, MANY, 0) != ready) {
                        throw new IOException("epoll_wait did not find the " + ready + " events that are ready");
                    }
                }
                return (double) (System.nanoTime() - startNs) / CALLS;
            });
        } finally {
            for (int counter : counters) {
                if (counter > 0) {
                    kernel.close(counter);
                }
            }
            kernel.close(epoll);
            Reference.reachabilityFence(events);
        }
    }

    /** One side of an exchange whose both sides are played by this thread: nobody waits. */
    private static double readAndWriteNs() throws IOException {
        try (ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel client = SocketChannel.open(listener.getLocalAddress());
                    SocketChannel server = listener.accept()) {
                client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                server.setOption(StandardSocketOptions.TCP_NODELAY, true);
                ByteBuffer message = ByteBuffer.allocateDirect(MESSAGE_BYTES);
                return CostCalibration.shortest(BATCHES, () -> {
                    long startNs = System.nanoTime();
                    for (int call = 0; call < CALLS; call++) {
                        pass(message, client, server);
                        pass(message, server, client);
                    }
                    return (double) (System.nanoTime() - startNs) / CALLS / 2;
                });
            }
        }
    }

    private static void pass(ByteBuffer message, SocketChannel from, SocketChannel to) throws IOException {
        message.clear();
        while (message.hasRemaining()) {
            from.write(message);
        }
        message.clear();
        while (message.hasRemaining()) {
            if (to.read(message) < 0) {
                throw new IOException("a loopback connection ended");
            }
        }
    }

    private static int checked(String call, int result) throws IOException {
        if (result < 0) {
            throw new IOException(call + ": " + Errno.describe(-result));
        }
        return result;
    }
}

package org.cabrank.bench.contender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.cabrank.bench.handler.HandlerWork;

/** The JDK's {@link DatagramChannel} with a selector. One thread runs the server; any thread may close it. */
final class NioDatagrams implements Runnable, RunningServer {

    static final String TUNING = "datagrams: one direct buffer, received until none is left, answered at once";

    /** Maximum number of datagrams before the next select. Other contenders receive this number with one system call. */
    private static final int DATAGRAMS_MAX = ContenderSockets.DATAGRAM_BATCH;

    private final Selector selector;
    private final DatagramChannel channel;
    private final HandlerWork work;
    private final InetSocketAddress address;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(ContenderSockets.DATAGRAM_BYTES);
    private final Thread thread = new Thread(this, "nio-datagrams");
    private volatile boolean stopped;

    private NioDatagrams(Selector selector, DatagramChannel channel, HandlerWork work) throws IOException {
        this.selector = selector;
        this.channel = channel;
        this.work = work;
        address = (InetSocketAddress) channel.getLocalAddress();
    }

    static RunningServer start(HandlerWork work) throws IOException {
        Selector selector = Selector.open();
        DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, ContenderSockets.DATAGRAM_RECEIVE_BYTES);
        channel.bind(ContenderSockets.anyPort());
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ);
        NioDatagrams server = new NioDatagrams(selector, channel, work);
        server.thread.start();
        return server;
    }

    @Override
    public void run() {
        try (selector;
                channel) {
            while (!stopped) {
                selector.select(key -> serve());
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private void serve() {
        try {
            for (int i = 0; i < DATAGRAMS_MAX; i++) {
                SocketAddress sender = channel.receive(buffer.clear());
                if (sender == null) {
                    return;
                }
                work.perform();
                channel.send(buffer.flip(), sender); // lost if the kernel has no room
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public String details() {
        return selector.provider().getClass().getName();
    }

    @Override
    public void close() {
        stopped = true;
        selector.wakeup();
        Uninterruptibly.join(thread);
    }
}

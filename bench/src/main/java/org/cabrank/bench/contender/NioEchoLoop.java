package org.cabrank.bench.contender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.function.Consumer;
import org.cabrank.bench.serve.HandlerWork;

/** The selector loop of {@link NioContender}: accepts, reads, writes back. One thread runs it; any may stop it. */
final class NioEchoLoop implements Runnable {

    private static final int BUFFER_BYTES = 64 * 1_024;

    private final Selector selector;
    private final ServerSocketChannel listener;
    private final HandlerWork work;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER_BYTES);
    private final Consumer<SelectionKey> action = this::handle;
    private volatile boolean stopped;

    NioEchoLoop(Selector selector, ServerSocketChannel listener, HandlerWork work) throws IOException {
        this.selector = selector;
        this.listener = listener;
        this.work = work;
        listener.configureBlocking(false);
        listener.register(selector, SelectionKey.OP_ACCEPT);
    }

    String providerName() {
        return selector.provider().getClass().getName();
    }

    void stop() {
        stopped = true;
        selector.wakeup();
    }

    @Override
    public void run() {
        try (selector;
                listener) {
            while (!stopped) {
                selector.select(action);
            }
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
        } catch (IOException selectorBroken) {
            throw new UncheckedIOException(selectorBroken);
        }
    }

    private void handle(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                accept();
            } else if (key.isWritable()) {
                writePending(key);
            } else {
                echo(key);
            }
        } catch (IOException connectionBroken) {
            // A reset by the peer: the connection is over and the loop goes on.
            close(key);
        }
    }

    private void accept() throws IOException {
        SocketChannel channel = listener.accept();
        if (channel == null) {
            return;
        }
        channel.configureBlocking(false);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.register(selector, SelectionKey.OP_READ);
    }

    private void echo(SelectionKey key) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        buffer.clear();
        if (channel.read(buffer) < 0) {
            close(key);
            return;
        }
        work.perform();
        buffer.flip();
        channel.write(buffer);
        if (buffer.hasRemaining()) {
            // The peer reads more slowly than it writes: stop reading until the rest is gone, which bounds the memory.
            ByteBuffer pending = ByteBuffer.allocateDirect(buffer.remaining());
            key.attach(pending.put(buffer).flip());
            key.interestOps(SelectionKey.OP_WRITE);
        }
    }

    private static void writePending(SelectionKey key) throws IOException {
        ByteBuffer pending = (ByteBuffer) key.attachment();
        ((SocketChannel) key.channel()).write(pending);
        if (!pending.hasRemaining()) {
            key.attach(null);
            key.interestOps(SelectionKey.OP_READ);
        }
    }

    private static void close(SelectionKey key) {
        try {
            key.channel().close();
        } catch (IOException onClose) {
            throw new UncheckedIOException(onClose);
        }
    }
}

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
import java.util.function.Supplier;
import org.cabrank.bench.handler.HandlerWork;

/** The selector loop of {@link NioContender}. One thread runs the loop; any thread may stop it. */
final class NioLoop implements Runnable {

    private static final int ECHO_BYTES = 64 << 10;

    /** Small enough that the answers to all requests in such a buffer fit into {@link #ANSWER_BYTES}. */
    private static final int REQUEST_BYTES = 4 << 10;

    private static final int ANSWER_BYTES = 64 << 10;

    private final Selector selector;
    private final ServerSocketChannel listener;
    private final ByteBuffer buffer;
    private final Supplier<Service> services;
    private final Consumer<SelectionKey> action = this::handle;
    private volatile boolean stopped;

    NioLoop(Selector selector, ServerSocketChannel listener, Protocol protocol, HandlerWork work) throws IOException {
        this.selector = selector;
        this.listener = listener;
        if (protocol == Protocol.ECHO) {
            Service echo = new EchoService(work);
            services = () -> echo;
            buffer = ByteBuffer.allocateDirect(ECHO_BYTES);
        } else {
            ByteBuffer answers = ByteBuffer.allocateDirect(ANSWER_BYTES);
            services = () -> new PlaintextService(work, answers);
            buffer = ByteBuffer.allocateDirect(REQUEST_BYTES);
        }
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
            } else if (!((NioConnection) key.attachment()).serve(key, buffer)) {
                close(key);
            }
        } catch (IOException connectionBroken) {
            // The peer may have reset the connection. Only this connection ends.
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
        channel.register(selector, SelectionKey.OP_READ, new NioConnection(services.get()));
    }

    private static void close(SelectionKey key) {
        try {
            key.channel().close();
        } catch (IOException onClose) {
            throw new UncheckedIOException(onClose);
        }
    }
}

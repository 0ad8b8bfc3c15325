package org.cabrank.bench.contender;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Accepts until the listener is closed. Each connection has its own task. */
final class BlockingAcceptor implements Runnable {

    /** Time until the next accept if no descriptor is free. The kernel does not report when one becomes free. */
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final System.Logger LOG = System.getLogger(BlockingAcceptor.class.getName());

    private final ServerSocketChannel listener;
    private final ExecutorService tasks;
    private final Service service;

    /** An exception ends the connection. */
    interface Service {
        void serve(SocketChannel channel) throws IOException;
    }

    BlockingAcceptor(ServerSocketChannel listener, ExecutorService tasks, Service service) {
        this.listener = listener;
        this.tasks = tasks;
        this.service = service;
    }

    @Override
    public void run() {
        while (true) {
            try {
                SocketChannel channel = listener.accept();
                tasks.execute(() -> serve(channel));
            } catch (ClosedChannelException closed) {
                return; // the server ends
            } catch (IOException shortage) {
                LOG.log(System.Logger.Level.WARNING, "accepting pauses", shortage);
                LockSupport.parkNanos(this, RETRY_NS);
            }
        }
    }

    private void serve(SocketChannel channel) {
        try (channel) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            service.serve(channel);
        } catch (IOException broken) {
            // The peer reset the connection, or the server is ending.
            LOG.log(System.Logger.Level.DEBUG, "a connection ended", broken);
        }
    }
}

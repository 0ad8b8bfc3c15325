package org.cabrank.bench.contender;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Runs each connection in a virtual thread with blocking reads and writes, as the JDK recommends since release 21. */
final class VirtualThreadsContender implements Contender {

    private static final int SINCE = 21;

    @Override
    public String name() {
        return "virtual-threads";
    }

    @Override
    public boolean serves(Protocol protocol) {
        return protocol.connects();
    }

    @Override
    public List<String> tuning() {
        return List.of(
                "a virtual thread per connection, blocking SocketChannel, over TLS SSLSocket",
                "the JDK's own scheduler: a carrier thread per CPU",
                "a direct buffer per connection, a larger one for those that fill it, both used again",
                ContenderSockets.HTTP_TUNING,
                ContenderSockets.TUNING);
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        ExecutorService threads = virtualThreads();
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(ContenderSockets.anyPort(), ContenderSockets.BACKLOG);
        BlockingServer server = new BlockingServer(settings);
        Thread acceptor =
                new Thread(new BlockingAcceptor(listener, threads, server::serve), "virtual-threads-acceptor");
        acceptor.start();
        return new Running((InetSocketAddress) listener.getLocalAddress(), listener, threads, acceptor);
    }

    /** Uses reflection, because the language level is 17. */
    private static ExecutorService virtualThreads() throws ContenderUnavailableException {
        int feature = Runtime.version().feature();
        if (feature < SINCE) {
            throw new ContenderUnavailableException(
                    "virtual threads need JDK " + SINCE + " or later, and this is " + feature);
        }
        try {
            return (ExecutorService)
                    Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException notThere) {
            throw new ContenderUnavailableException("this JDK has no virtual threads: " + notThere);
        }
    }

    private record Running(
            InetSocketAddress address, ServerSocketChannel listener, ExecutorService threads, Thread acceptor)
            implements RunningServer {

        @Override
        public String details() {
            String parallelism = System.getProperty("jdk.virtualThreadScheduler.parallelism");
            return "carrier threads: "
                    + (parallelism == null ? Runtime.getRuntime().availableProcessors() : parallelism);
        }

        @Override
        public void close() {
            try {
                listener.close();
            } catch (IOException notClosed) {
                throw new IllegalStateException(notClosed);
            }
            Uninterruptibly.join(acceptor);
            threads.shutdownNow(); // an interrupt closes the channel that the interrupted thread waits for
            Uninterruptibly.awaitEnd(threads);
        }
    }
}

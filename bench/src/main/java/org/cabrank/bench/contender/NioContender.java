package org.cabrank.bench.contender;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.List;

/** What a careful programmer writes with nothing but the JDK: one thread, one selector. */
final class NioContender implements Contender {

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public List<String> tuning() {
        return List.of(
                "one selector thread",
                "select(Consumer): no selected-key set",
                "one direct buffer for all connections",
                "one read per readiness, answer written at once",
                "TCP_NODELAY");
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        Selector selector = Selector.open();
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(ContenderSockets.anyLoopbackPort(), ContenderSockets.BACKLOG);
        NioEchoLoop loop = new NioEchoLoop(selector, listener, settings.work());
        Thread thread = new Thread(loop, "nio-echo");
        thread.start();
        InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        return new Running(address, loop, thread);
    }

    private record Running(InetSocketAddress address, NioEchoLoop loop, Thread thread) implements RunningServer {

        @Override
        public String details() {
            return loop.providerName();
        }

        @Override
        public void close() {
            loop.stop();
            boolean interrupted = false;
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException whileWaiting) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

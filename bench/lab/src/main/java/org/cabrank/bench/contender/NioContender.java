package org.cabrank.bench.contender;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.util.List;

final class NioContender implements Contender {

    @Override
    public String name() {
        return "nio";
    }

    @Override
    public boolean serves(Protocol protocol) {
        return !protocol.overTls() && protocol != Protocol.DATAGRAM_SEGMENTS;
    }

    @Override
    public List<String> tuning() {
        return List.of(
                "one selector thread",
                "select(Consumer): no selected-key set",
                "one direct buffer for all connections",
                "one read per readiness, answer written at once",
                NioDatagrams.TUNING,
                ContenderSockets.DATAGRAM_TUNING,
                ContenderSockets.HTTP_TUNING,
                ContenderSockets.TUNING);
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        if (!settings.protocol().connects()) {
            return NioDatagrams.start(settings.work());
        }
        Selector selector = Selector.open();
        ServerSocketChannel listener = ServerSocketChannel.open();
        listener.bind(ContenderSockets.anyPort(), ContenderSockets.BACKLOG);
        NioLoop loop = new NioLoop(selector, listener, settings.protocol(), settings.work());
        Thread thread = new Thread(loop, "nio-loop");
        thread.start();
        InetSocketAddress address = (InetSocketAddress) listener.getLocalAddress();
        return new Running(address, loop, thread);
    }

    private record Running(InetSocketAddress address, NioLoop loop, Thread thread) implements RunningServer {

        @Override
        public String details() {
            return loop.providerName();
        }

        @Override
        public void close() {
            loop.stop();
            Uninterruptibly.join(thread);
        }
    }
}

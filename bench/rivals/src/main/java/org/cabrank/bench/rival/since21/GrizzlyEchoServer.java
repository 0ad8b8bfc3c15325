package org.cabrank.bench.rival.since21;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import org.cabrank.bench.contender.ContenderSockets;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.handler.HandlerWork;
import org.glassfish.grizzly.Connection;
import org.glassfish.grizzly.WriteHandler;
import org.glassfish.grizzly.filterchain.BaseFilter;
import org.glassfish.grizzly.filterchain.FilterChainBuilder;
import org.glassfish.grizzly.filterchain.FilterChainContext;
import org.glassfish.grizzly.filterchain.NextAction;
import org.glassfish.grizzly.filterchain.TransportFilter;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.nio.transport.TCPNIOTransportBuilder;

record GrizzlyEchoServer(TCPNIOTransport transport, InetSocketAddress address, String details)
        implements RunningServer {

    static RunningServer start(ServerSettings settings) throws IOException {
        TCPNIOTransport transport = TCPNIOTransportBuilder.newInstance().build();
        GrizzlyTransports.configure(transport, settings);
        transport.setProcessor(FilterChainBuilder.stateless()
                .add(new TransportFilter())
                .add(new EchoFilter(settings.work()))
                .build());
        InetSocketAddress address =
                (InetSocketAddress) transport.bind(ContenderSockets.anyPort()).getLocalAddress();
        transport.start();
        return new GrizzlyEchoServer(transport, address, GrizzlyTransports.details(settings));
    }

    @Override
    public void close() {
        try {
            transport.shutdownNow();
        } catch (IOException notEnded) {
            throw new UncheckedIOException(notEnded);
        }
    }

    /** Reads nothing until the answer is written, because Grizzly drops the rest of the answer at the end of the peer's output. */
    private static final class EchoFilter extends BaseFilter {

        /** With this limit of the write queue, {@code canWrite} returns false while any byte is unwritten. */
        private static final int NOTHING_UNWRITTEN = 1;

        private final HandlerWork work;

        EchoFilter(HandlerWork work) {
            this.work = work;
        }

        @Override
        public NextAction handleAccept(FilterChainContext context) {
            context.getConnection().setMaxAsyncWriteQueueSize(NOTHING_UNWRITTEN);
            return context.getInvokeAction();
        }

        @Override
        public NextAction handleRead(FilterChainContext context) {
            work.perform();
            Connection<?> connection = context.getConnection();
            Object data = context.getMessage();
            context.write(data);
            if (connection.canWrite()) {
                return context.getStopAction();
            }
            NextAction suspended = context.getSuspendAction();
            context.suspend();
            connection.notifyCanWrite(new Resumption(context));
            return suspended; // from here on another thread may use the context
        }
    }

    private record Resumption(FilterChainContext context) implements WriteHandler {

        @Override
        public void onWritePossible() {
            context.resume(context.getStopAction());
        }

        @Override
        public void onError(Throwable connectionEnded) {
            context.resume(context.getStopAction());
        }
    }
}

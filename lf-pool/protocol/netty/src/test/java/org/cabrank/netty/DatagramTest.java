package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Datagram channels in their strands. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"epoll", "iouring"})
class DatagramTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();

    @Parameter
    String backend;

    private CabrankEventLoopGroup group;

    @BeforeEach
    void start() {
        group = CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(1).threadsPerShard(1))
                .build();
    }

    @AfterEach
    void end() {
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
    }

    private Bootstrap bootstrap() {
        return new Bootstrap()
                .group(group)
                .channel(CabrankDatagramChannel.class)
                .handler(new ChannelInboundHandlerAdapter());
    }

    private static DatagramPacket packet(Channel from, DatagramSocket to) {
        return new DatagramPacket(
                from.alloc().buffer().writeByte(1),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), to.getLocalPort()));
    }

    @Test
    @SuppressWarnings("deprecation") // programs set it
    void unboundChannelGoesOnWritingAfterOtherHandlesHadATurn() throws Exception {
        try (DatagramSocket receiver = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            ChannelFuture registered = bootstrap()
                    .option(ChannelOption.DATAGRAM_CHANNEL_ACTIVE_ON_REGISTRATION, true)
                    .option(ChannelOption.MAX_MESSAGES_PER_WRITE, 1)
                    .register();
            assertTrue(registered.awaitUninterruptibly(PATIENCE_MS));
            List<ChannelFuture> writes = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                writes.add(registered.channel().write(packet(registered.channel(), receiver)));
            }
            registered.channel().flush();
            for (ChannelFuture write : writes) {
                assertTrue(write.awaitUninterruptibly(PATIENCE_MS));
                write.syncUninterruptibly();
            }
        }
    }

    /** The connect follows the flush in the same task, so no event of the channel comes between them. */
    @Test
    @SuppressWarnings("deprecation") // programs set it
    void datagramsThatWereFlushedBeforeAConnectAreSent() throws Exception {
        try (DatagramSocket receiver = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Channel channel = bootstrap()
                    .option(ChannelOption.DATAGRAM_CHANNEL_ACTIVE_ON_REGISTRATION, true)
                    .option(ChannelOption.MAX_MESSAGES_PER_WRITE, 1)
                    .register()
                    .syncUninterruptibly()
                    .channel();
            List<ChannelFuture> operations = new ArrayList<>();
            channel.eventLoop()
                    .submit(() -> {
                        for (int i = 0; i < 3; i++) {
                            operations.add(channel.write(packet(channel, receiver)));
                        }
                        channel.flush();
                        operations.add(channel.connect(receiver.getLocalSocketAddress()));
                    })
                    .syncUninterruptibly();
            for (ChannelFuture operation : operations) {
                assertTrue(operation.awaitUninterruptibly(PATIENCE_MS));
                operation.syncUninterruptibly();
            }
        }
    }

    /** Not in an event of the channel, where the close takes place at once. */
    @Test
    void nothingIsSentAfterAListenerOfAWriteHasClosedTheChannel() throws Exception {
        try (DatagramSocket receiver = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            Channel channel = bootstrap()
                    .bind(InetAddress.getLoopbackAddress(), 0)
                    .syncUninterruptibly()
                    .channel();
            List<ChannelFuture> writes = new ArrayList<>();
            channel.eventLoop()
                    .schedule(
                            () -> {
                                writes.add(channel.write(packet(channel, receiver))
                                        .addListener(ChannelFutureListener.CLOSE));
                                writes.add(channel.writeAndFlush(packet(channel, receiver)));
                            },
                            1,
                            TimeUnit.MILLISECONDS)
                    .syncUninterruptibly();
            assertTrue(channel.closeFuture().awaitUninterruptibly(PATIENCE_MS));
            assertTrue(writes.get(1).awaitUninterruptibly(PATIENCE_MS));
            assertInstanceOf(ClosedChannelException.class, writes.get(1).cause());
        }
    }
}

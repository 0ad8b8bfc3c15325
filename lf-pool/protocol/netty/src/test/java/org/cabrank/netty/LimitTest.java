package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamLimits;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Connections of Netty channels are counted by the reactor, and are within its limit. */
class LimitTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();

    @Sharable
    private static final class Silent extends ChannelInboundHandlerAdapter {}

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void connectionBeyondTheLimitIsResetAndCounted(String backend) throws Exception {
        CabrankEventLoopGroup group = CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor -> reactor.backend(Backend.named(backend))
                        .shards(2)
                        .limits(StreamLimits.DEFAULT.withConnectionsMax(2)))
                .build();
        StreamReactor reactor = group.reactor();
        InetSocketAddress address = (InetSocketAddress) new ServerBootstrap()
                .group(group)
                .channel(CabrankServerSocketChannel.class)
                .childHandler(new Silent())
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel()
                .localAddress();
        try (Socket one = new Socket(address.getAddress(), address.getPort());
                Socket other = new Socket(address.getAddress(), address.getPort())) {
            assertTrue(one.isConnected() && other.isConnected());
            Await.until("two stand", () -> reactor.use().connections() == 2);
            try (Socket beyond = new Socket(address.getAddress(), address.getPort())) {
                assertThrows(SocketException.class, beyond.getInputStream()::read);
            }
            ChannelFuture refused = new Bootstrap()
                    .group(group)
                    .channel(CabrankSocketChannel.class)
                    .handler(new Silent())
                    .connect(address);
            assertTrue(refused.awaitUninterruptibly(PATIENCE_MS));
            assertTrue(refused.cause().getMessage().contains("connectionsMax"), () -> "" + refused.cause());
            refused.channel().close();
            assertEquals(2, reactor.counters().overLimit());
        }
        Await.until("none stands", () -> reactor.use().connections() == 0);
        assertEquals(2, reactor.counters().opened());
        assertEquals(2, reactor.counters().closed());
        ChannelFuture connected = new Bootstrap()
                .group(group)
                .channel(CabrankSocketChannel.class)
                .handler(new Silent())
                .connect(address)
                .syncUninterruptibly();
        Await.until("both ends stand", () -> reactor.use().connections() == 2);
        connected.channel().close().syncUninterruptibly();
        Await.until("none stands", () -> reactor.use().connections() == 0);
        assertEquals(4, reactor.counters().closed());
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
    }
}

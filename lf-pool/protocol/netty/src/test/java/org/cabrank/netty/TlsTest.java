package org.cabrank.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.ResourceLeakDetector;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS by Netty's handler, over connections that are closed in all ways, leaves no buffer behind. */
class TlsTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();
    private static final int CONNECTIONS = 40;
    private static final int BYTES = 40_000;

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void pipelineWithTlsLeaksNothing(String backend) throws Exception {
        assertEquals(ResourceLeakDetector.Level.PARANOID, ResourceLeakDetector.getLevel());
        CountingLeakDetector.leaks();
        CountingLeakDetector.forget();
        CabrankEventLoopGroup group = CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(1).threadsPerShard(3))
                .build();
        X509Bundle certificate = new CertificateBuilder()
                .subject("cn=localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        SslContext server =
                SslContextBuilder.forServer(certificate.toKeyManagerFactory()).build();
        SslContext client = SslContextBuilder.forClient()
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .endpointIdentificationAlgorithm(null)
                .build();
        Channel listening = done(new ServerBootstrap()
                        .group(group)
                        .channel(CabrankServerSocketChannel.class)
                        .childHandler(initializer(server, () -> new ChannelInboundHandlerAdapter() {
                            @Override
                            public void channelRead(ChannelHandlerContext context, Object message) {
                                context.writeAndFlush(message);
                            }

                            @Override
                            public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                                context.close();
                            }
                        }))
                        .bind(InetAddress.getLoopbackAddress(), 0))
                .channel();
        CountDownLatch ended = new CountDownLatch(CONNECTIONS);
        for (int i = 0; i < CONNECTIONS; i++) {
            int number = i;
            Channel channel = done(new Bootstrap()
                            .group(group)
                            .channel(CabrankSocketChannel.class)
                            .handler(initializer(client, () -> new Ending(number)))
                            .connect(listening.localAddress()))
                    .channel();
            channel.closeFuture().addListener(closed -> ended.countDown());
            channel.writeAndFlush(channel.alloc().heapBuffer(BYTES).writeZero(BYTES));
        }
        assertTrue(ended.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
        assertEquals(List.of(), CountingLeakDetector.leaks());
    }

    private static ChannelFuture done(ChannelFuture future) {
        assertTrue(future.awaitUninterruptibly(PATIENCE_MS));
        return future.syncUninterruptibly();
    }

    private static ChannelInitializer<Channel> initializer(
            SslContext context, Supplier<ChannelInboundHandlerAdapter> last) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(context.newHandler(channel.alloc()), last.get());
            }
        };
    }

    /** Ends the connection after all bytes, after the first, by a reset, or in the midst of a write. */
    private static final class Ending extends ChannelInboundHandlerAdapter {
        private final int way;
        private int left = BYTES;

        Ending(int number) {
            way = number % 4;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf data = (ByteBuf) message;
            left -= data.readableBytes();
            data.release();
            if (way == 0 && left > 0) {
                return;
            }
            if (way == 2) {
                ((CabrankSocketChannel) context.channel()).config().setSoLinger(0);
            }
            if (way == 3) {
                context.writeAndFlush(context.alloc().buffer(BYTES).writeZero(BYTES));
            }
            context.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }
}

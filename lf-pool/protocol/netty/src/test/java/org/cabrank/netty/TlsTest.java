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
import io.netty.util.ReferenceCountUtil;
import io.netty.util.ResourceLeakDetector;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Backend;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** TLS by Netty's handler, over connections that are closed in all ways, leaves no buffer behind. */
class TlsTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();
    private static final int CONNECTIONS = 40;
    private static final int BYTES = 40_000;
    private static final int HOSTILE_PEERS = 36;

    private final ResourceLeakDetector.Level usualLevel = ResourceLeakDetector.getLevel();

    @BeforeEach
    void detectLeaksWithEachAccess() {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    }

    @AfterEach
    void detectLeaksAsBefore() {
        ResourceLeakDetector.setLevel(usualLevel);
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void pipelineWithTlsLeaksNothing(String backend) throws Exception {
        CabrankEventLoopGroup group = start(backend);
        SslContext server = serverContext();
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

    /** Peers that the server must outlive: a way for each, by its number. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void hostilePeersLeaveNothingBehind(String backend) throws Exception {
        CabrankEventLoopGroup group = start(backend);
        SslContext server = serverContext();
        CountDownLatch closed = new CountDownLatch(HOSTILE_PEERS);
        Channel listening = done(new ServerBootstrap()
                        .group(group)
                        .channel(CabrankServerSocketChannel.class)
                        .childHandler(initializer(server, () -> new Answering(closed)))
                        .bind(InetAddress.getLoopbackAddress(), 0))
                .channel();
        SSLSocketFactory tls = trustingAll().getSocketFactory();
        InetSocketAddress address = (InetSocketAddress) listening.localAddress();
        List<Thread> peers = new ArrayList<>();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < HOSTILE_PEERS; i++) {
            int way = i;
            peers.add(new Thread(() -> {
                try {
                    HostilePeer.values()[way % HostilePeer.values().length].visit(address, tls);
                } catch (Throwable unexpected) {
                    failures.add(unexpected);
                }
            }));
        }
        peers.forEach(Thread::start);
        assertTrue(closed.await(PATIENCE_MS, TimeUnit.MILLISECONDS), () -> closed.getCount() + " are open");
        for (Thread peer : peers) {
            peer.join(PATIENCE_MS);
        }
        assertEquals(List.of(), List.copyOf(failures));
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
        assertEquals(List.of(), CountingLeakDetector.leaks());
    }

    private static CabrankEventLoopGroup start(String backend) {
        CountingLeakDetector.leaks();
        CountingLeakDetector.forget();
        return CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(1).threadsPerShard(3))
                .build();
    }

    private static SslContext serverContext() throws Exception {
        X509Bundle certificate = new CertificateBuilder()
                .subject("cn=localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        return SslContextBuilder.forServer(certificate.toKeyManagerFactory()).build();
    }

    private static SSLContext trustingAll() throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        return context;
    }

    /** Answers each piece with many bytes, and closes after the end of the input or an error. */
    private static final class Answering extends ChannelInboundHandlerAdapter {
        private final CountDownLatch closed;

        Answering(CountDownLatch closed) {
            this.closed = closed;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
            context.writeAndFlush(context.alloc().buffer(BYTES).writeZero(BYTES));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            closed.countDown();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
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

package org.cabrank.netty.fault;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.pkitesting.CertificateBuilder;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.cabrank.kernel.Errno;
import org.cabrank.lf.fixture.Await;
import org.cabrank.netty.CabrankEventLoopGroup;
import org.cabrank.netty.CabrankServerSocketChannel;
import org.cabrank.netty.CabrankSocketChannel;
import org.cabrank.netty.CountingLeakDetector;
import org.cabrank.socket.contract.FaultyKernel;
import org.cabrank.socket.contract.FaultyKernel.Plan;
import org.cabrank.stream.Backend;

/** Sends bytes to and fro over TLS, first while calls are interrupted and shortened, and then while some fail. */
final class FaultyEcho {
    private static final int CONNECTIONS = 8;

    /** More than the high watermark of a channel, 64 KiB. */
    private static final int BYTES = 100_000;

    private final CabrankEventLoopGroup group;
    private final SslContext ofServer;
    private final SslContext ofClient;

    private FaultyEcho(String backend) throws Exception {
        group = CabrankEventLoopGroup.builder()
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(1).threadsPerShard(3))
                .build();
        ofServer = SslContextBuilder.forServer(new CertificateBuilder()
                        .subject("cn=localhost")
                        .setIsCertificateAuthority(true)
                        .buildSelfSigned()
                        .toKeyManagerFactory())
                .build();
        ofClient = SslContextBuilder.forClient()
                .trustManager(InsecureTrustManagerFactory.INSTANCE)
                .endpointIdentificationAlgorithm(null)
                .build();
    }

    public static void main(String[] arguments) throws Exception {
        FaultyEcho echo = new FaultyEcho(arguments[0]);
        FaultyKernel kernel = FaultyProvider.kernel;
        SocketAddress server = echo.listen();
        kernel.plan("recv", Plan.everySecond(-Errno.EINTR))
                .plan("send", Plan.everySecond(Plan.SHORT))
                .plan("sendmsg", Plan.everySecond(-Errno.EINTR))
                .plan("accept4", Plan.first(-Errno.ECONNABORTED, -Errno.EINTR, -Errno.EMFILE))
                .plan("connect", Plan.everySecond(-Errno.EINTR))
                .plan("close", Plan.everySecond(-Errno.EINTR));
        require(echo.talk(server) == CONNECTIONS, "all connections outlive interrupted calls");
        require(kernel.calls("recv") > 0 && kernel.calls("accept4") > CONNECTIONS, "the kernel is the faulty one");
        kernel.forget();
        kernel.plan("recv", Plan.from(20, 1, -Errno.ECONNRESET))
                .plan("send", Plan.from(20, 1, -Errno.EPIPE))
                .plan("sendmsg", Plan.from(3, 1, -Errno.ENOBUFS))
                .plan("accept4", Plan.from(2, 1, -Errno.ENOMEM));
        require(echo.talk(server) >= CONNECTIONS - 3, "connections outlive the failures of others");
        kernel.forget();
        require(echo.talk(server) == CONNECTIONS, "all connections are served again");
        require(
                echo.group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(Await.PATIENCE.toMillis()),
                "the group ends");
        require(kernel.closedTwice() == 0, "no descriptor is closed twice");
        require(CountingLeakDetector.leaks().isEmpty(), "no buffer leaks: " + CountingLeakDetector.leaks());
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            System.out.println("does not hold: " + what);
            System.exit(1);
        }
    }

    private static ChannelInitializer<Channel> secured(SslContext tls, Supplier<ChannelHandler> last) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel channel) {
                channel.pipeline().addLast(tls.newHandler(channel.alloc()), last.get());
            }
        };
    }

    private SocketAddress listen() {
        return new ServerBootstrap()
                .group(group)
                .channel(CabrankServerSocketChannel.class)
                .childHandler(secured(ofServer, Echo::new))
                .bind(InetAddress.getLoopbackAddress(), 0)
                .syncUninterruptibly()
                .channel()
                .localAddress();
    }

    /** Returns the number of connections on which all bytes came back. */
    private int talk(SocketAddress server) throws Exception {
        List<Comparison> comparisons = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            Comparison comparison = new Comparison(i);
            comparisons.add(comparison);
            new Bootstrap()
                    .group(group)
                    .channel(CabrankSocketChannel.class)
                    .handler(secured(ofClient, () -> comparison))
                    .connect(server)
                    .addListener(connected -> {
                        if (!connected.isSuccess()) {
                            comparison.result.completeExceptionally(connected.cause());
                        }
                    });
        }
        int whole = 0;
        for (Comparison each : comparisons) {
            try {
                each.result.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
                whole++;
            } catch (ExecutionException failed) {
                System.out.println(failed.getCause());
            }
        }
        return whole;
    }

    private static final class Echo extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            context.close();
        }
    }

    private static final class Comparison extends SimpleChannelInboundHandler<ByteBuf> {
        private final CompletableFuture<Void> result = new CompletableFuture<>();
        private final Random sent;
        private final Random expected;
        private int left = BYTES;

        Comparison(long seed) {
            sent = new Random(seed);
            expected = new Random(seed);
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            byte[] bytes = new byte[BYTES];
            for (int i = 0; i < BYTES; i++) {
                bytes[i] = (byte) sent.nextInt();
            }
            context.writeAndFlush(context.alloc().buffer(BYTES).writeBytes(bytes));
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf data) {
            byte[] bytes = new byte[data.readableBytes()];
            data.readBytes(bytes); // at once: the leak detector records each access
            for (byte each : bytes) {
                require(each == (byte) expected.nextInt(), "bytes come back as they were sent");
            }
            left -= bytes.length;
            if (left == 0) {
                result.complete(null);
                context.close();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            result.completeExceptionally(new IllegalStateException("closed before the last byte"));
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            result.completeExceptionally(cause);
            context.close();
        }
    }
}

package org.cabrank.bench.contender;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.handler.HandlerWork;

/** The server of all Netty contenders: only the transport differs. */
record NettyServer(Channel channel, EventLoopGroup group, String details) implements RunningServer {

    static final List<String> TUNING = List.of(
            "PooledByteBufAllocator",
            "write with the void promise, flush on readComplete",
            "RESP: RedisDecoder with pooled messages, RedisEncoder, aggregators; a ConcurrentHashMap",
            "HTTP: HttpServerCodec, fields of answers cached and not validated",
            ContenderSockets.TUNING,
            "leak detection and buffer bounds and access checks off");

    /** From JDK 24 on Netty uses Unsafe only where it is allowed explicitly, and is slower without. */
    private static final int UNSAFE_ASKS_FOR_A_FLAG = 23;

    /** JVM flags that the Netty project recommends for throughput, and that its entries in public benchmarks use. */
    static List<String> jvmFlags(int feature) {
        List<String> flags = new ArrayList<>(List.of(
                "-Dio.netty.leakDetection.level=disabled",
                "-Dio.netty.buffer.checkBounds=false",
                "-Dio.netty.buffer.checkAccessible=false",
                "-Dio.netty.tryReflectionSetAccessible=true",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
                "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"));
        if (feature >= UNSAFE_ASKS_FOR_A_FLAG) {
            flags.add("--sun-misc-unsafe-memory-access=allow");
        }
        return flags;
    }

    static RunningServer start(NettyTransport transport, ServerSettings settings, int loops) throws IOException {
        return start(transport, settings, loops, SslProvider.JDK);
    }

    /** @param provider engines of a protocol over TLS */
    static RunningServer start(NettyTransport transport, ServerSettings settings, int loops, SslProvider provider)
            throws IOException {
        SslContext tls = settings.protocol().overTls() ? NettyOpenSsl.serverContext(settings.tls(), provider) : null;
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(loops, transport.handlers());
        ChannelHandler handler = handler(settings);
        ServerBootstrap server = new ServerBootstrap()
                .group(group)
                .channel(transport.channelType())
                .option(ChannelOption.SO_BACKLOG, ContenderSockets.BACKLOG)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        if (tls != null) {
                            channel.pipeline().addLast(tls.newHandler(channel.alloc()));
                        }
                        if (settings.protocol().isHttp()) {
                            channel.pipeline().addLast(new HttpServerCodec());
                        } else if (settings.protocol() == Protocol.RESP) {
                            NettyRespHandler.addCodec(channel.pipeline());
                        }
                        channel.pipeline().addLast(handler);
                    }
                });
        transport.connectionOptions().forEach(server::childOption);
        ChannelFuture bound = server.bind(ContenderSockets.anyLoopbackPort()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            shutDown(group);
            throw new IOException("Netty could not listen: " + bound.cause(), bound.cause());
        }
        return new NettyServer(bound.channel(), group, description(transport, loops));
    }

    private static ChannelHandler handler(ServerSettings settings) {
        if (settings.protocol() == Protocol.RESP) {
            return new NettyRespHandler(settings.work());
        }
        return settings.protocol().isHttp()
                ? new NettyHttpHandler(settings.work())
                : new NettyEchoHandler(settings.work());
    }

    private static String description(NettyTransport transport, int loops) {
        return transport.description() + (loops == 1 ? "" : ", " + loops + " event loops");
    }

    @Override
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        shutDown(group);
    }

    private static void shutDown(EventLoopGroup group) {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
    }

    /** Writes back what was read. */
    @Sharable
    static final class NettyEchoHandler extends NettyHandler {

        private final HandlerWork work;

        NettyEchoHandler(HandlerWork work) {
            this.work = work;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            work.perform();
            context.write(message, context.voidPromise());
        }
    }
}

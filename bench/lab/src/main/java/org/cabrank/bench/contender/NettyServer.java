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
import io.netty.channel.ChannelPipeline;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.MultithreadEventExecutorGroup;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.handler.HandlerWork;

record NettyServer(Channel channel, EventLoopGroup group, EventExecutorGroup handlerThreads, String details)
        implements RunningServer {

    static final List<String> TUNING = List.of(
            "PooledByteBufAllocator",
            "write with the void promise, flush on readComplete",
            "HTTP: HttpServerCodec, fields of answers cached and not validated",
            ContenderSockets.TUNING,
            "leak detection and buffer bounds and access checks off");

    static RunningServer start(NettyTransport transport, ServerSettings settings, int loops) throws IOException {
        return start(transport, settings, loops, SslProvider.JDK);
    }

    static RunningServer start(NettyTransport transport, ServerSettings settings, int loops, SslProvider provider)
            throws IOException {
        return start(transport, settings, loops, provider, null);
    }

    /** The codecs run in one event loop. Closing the server also ends {@code handlerThreads}. */
    static RunningServer start(NettyTransport transport, ServerSettings settings, EventExecutorGroup handlerThreads)
            throws IOException {
        return start(transport, settings, 1, SslProvider.JDK, handlerThreads);
    }

    private static RunningServer start(
            NettyTransport transport,
            ServerSettings settings,
            int loops,
            SslProvider provider,
            EventExecutorGroup handlerThreads)
            throws IOException {
        SslContext tls = settings.protocol().overTls() ? NettyOpenSsl.serverContext(settings.tls(), provider) : null;
        EventLoopGroup group = transport.groups().apply(loops);
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
                        }
                        addLast(channel.pipeline(), handlerThreads, handler);
                    }
                });
        transport.connectionOptions().forEach(server::childOption);
        ChannelFuture bound = server.bind(ContenderSockets.anyPort()).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            shutDown(group, handlerThreads);
            throw new IOException("Netty could not listen: " + bound.cause(), bound.cause());
        }
        return new NettyServer(bound.channel(), group, handlerThreads, description(transport, loops, handlerThreads));
    }

    /** Netty 4.2 deprecates separate threads for handlers, but it has no replacement for handlers that may block. */
    @SuppressWarnings("deprecation")
    private static void addLast(ChannelPipeline pipeline, EventExecutorGroup handlerThreads, ChannelHandler handler) {
        if (handlerThreads == null) {
            pipeline.addLast(handler);
        } else {
            pipeline.addLast(handlerThreads, handler);
        }
    }

    private static ChannelHandler handler(ServerSettings settings) {
        return settings.protocol().isHttp()
                ? new NettyHttpHandler(settings.work())
                : new NettyEchoHandler(settings.work());
    }

    private static String description(NettyTransport transport, int loops, EventExecutorGroup handlerThreads) {
        String threads = handlerThreads instanceof MultithreadEventExecutorGroup group
                ? ", " + group.executorCount() + " threads for handlers"
                : "";
        return transport.description() + (loops == 1 ? "" : ", " + loops + " event loops") + threads;
    }

    @Override
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly();
        shutDown(group, handlerThreads);
    }

    /** Ends the event loops before the handler threads, because the loops call handlers until they have ended. */
    private static void shutDown(EventLoopGroup group, EventExecutorGroup handlerThreads) {
        group.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        if (handlerThreads != null) {
            handlerThreads.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
        }
    }

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

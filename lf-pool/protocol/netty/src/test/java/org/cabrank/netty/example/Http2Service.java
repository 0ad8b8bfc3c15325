package org.cabrank.netty.example;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http2.DefaultHttp2DataFrame;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.codec.http2.Http2DataFrame;
import io.netty.handler.codec.http2.Http2FrameCodecBuilder;
import io.netty.handler.codec.http2.Http2HeadersFrame;
import io.netty.handler.codec.http2.Http2MultiplexHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.cabrank.netty.CabrankEventLoopGroup;
import org.cabrank.netty.CabrankServerSocketChannel;

/** HTTP/2: answers a GET, sends the body of a POST back, and looks up {@code /slow/…} in threads of their own. */
public final class Http2Service implements AutoCloseable {
    private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Channel listening;

    /**
     * Starts the service.
     *
     * @param bootstrap with its groups and channel class
     * @param tls with ALPN for h2; null: HTTP/2 without TLS, for clients that know it
     * @param lookUp blocks, so threads of {@code blocking} call it: in the strand it would delay all streams of the connection
     */
    public Http2Service(
            ServerBootstrap bootstrap,
            InetSocketAddress address,
            SslContext tls,
            Function<String, String> lookUp,
            Executor blocking) {
        listening = bootstrap
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel connection) {
                        connections.add(connection);
                        if (tls != null) {
                            connection.pipeline().addLast(tls.newHandler(connection.alloc()));
                        }
                        connection
                                .pipeline()
                                .addLast(Http2FrameCodecBuilder.forServer()
                                        .gracefulShutdownTimeoutMillis(30_000) // else a close ends the streams
                                        .build());
                        connection.pipeline().addLast(new Http2MultiplexHandler(new ChannelInitializer<>() {
                            @Override
                            protected void initChannel(Channel stream) {
                                stream.pipeline().addLast(new Answers(lookUp, blocking));
                            }
                        }));
                    }
                })
                .bind(address)
                .syncUninterruptibly()
                .channel();
    }

    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /** Accepts no more, sends GOAWAY on each connection, and waits until the streams have ended, for at most 30 s. */
    @Override
    public void close() {
        listening.close().syncUninterruptibly();
        connections.close().awaitUninterruptibly();
    }

    private static final class Answers extends ChannelInboundHandlerAdapter {
        private final Function<String, String> lookUp;
        private final Executor blocking;

        Answers(Function<String, String> lookUp, Executor blocking) {
            this.lookUp = lookUp;
            this.blocking = blocking;
        }

        @Override
        public void channelRead(ChannelHandlerContext stream, Object frame) {
            if (frame instanceof Http2DataFrame) {
                stream.write(frame);
            } else if (frame instanceof Http2HeadersFrame request) {
                stream.write(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status("200")));
                String path = request.headers().path().toString();
                if (path.startsWith("/slow/")) {
                    blocking.execute(() -> answer(stream, lookUp.apply(path)));
                } else if (request.isEndStream()) {
                    answer(stream, "This is " + path);
                }
            } else {
                ReferenceCountUtil.release(frame);
            }
        }

        /** Any thread: Netty has the strand write. */
        private static void answer(ChannelHandlerContext stream, String text) {
            stream.writeAndFlush(new DefaultHttp2DataFrame(ByteBufUtil.writeUtf8(stream.alloc(), text), true));
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext stream) {
            stream.flush();
        }
    }

    /** Serves port 8080 until SIGTERM. */
    public static void main(String[] arguments) {
        CabrankEventLoopGroup group = CabrankEventLoopGroup.builder().build();
        ExecutorService blocking = Executors.newFixedThreadPool(16);
        Http2Service service = new Http2Service(
                new ServerBootstrap().group(group).channel(CabrankServerSocketChannel.class),
                new InetSocketAddress("127.0.0.1", 8080),
                null,
                path -> "looked up " + path,
                blocking);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            service.close();
            blocking.shutdown();
            group.shutdownGracefully().syncUninterruptibly();
        }));
    }
}

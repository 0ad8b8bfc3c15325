package org.cabrank.netty.example;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
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
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.UnaryOperator;
import org.cabrank.netty.CabrankEventLoopGroup;
import org.cabrank.netty.CabrankServerSocketChannel;

/**
 * HTTP/2: answers a GET, sends the body of a POST back, and looks {@code /slow/…} up.
 *
 * @param tls with ALPN for h2; null: HTTP/2 without TLS, for clients that know it
 * @param lookUp blocks, so threads of {@code blocking} call it: in the strand it would delay all streams of the connection
 * @param connections which are open; to close them all is to drain
 */
public record Http2Service(SslContext tls, UnaryOperator<String> lookUp, Executor blocking, ChannelGroup connections) {

    /** Serves the port until SIGTERM. */
    public static void main(String[] arguments) {
        CabrankEventLoopGroup group = CabrankEventLoopGroup.builder().build();
        ExecutorService blocking = Executors.newFixedThreadPool(16);
        Http2Service service = new Http2Service(
                null, System::getenv, blocking, new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true));
        Channel listening = new ServerBootstrap()
                .group(group)
                .channel(CabrankServerSocketChannel.class)
                .childHandler(service.handlers())
                .bind("127.0.0.1", Integer.parseInt(arguments[0]))
                .syncUninterruptibly()
                .channel();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            listening.close().syncUninterruptibly();
            service.connections.close().awaitUninterruptibly(); // sends GOAWAY; ends when the streams have ended
            group.shutdownGracefully().syncUninterruptibly();
        }));
        System.out.println("listening on " + listening.localAddress());
    }

    public ChannelInitializer<Channel> handlers() {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(Channel connection) {
                connections.add(connection);
                if (tls != null) {
                    connection.pipeline().addLast(tls.newHandler(connection.alloc()));
                }
                Http2FrameCodecBuilder codec = Http2FrameCodecBuilder.forServer()
                        .gracefulShutdownTimeoutMillis(30_000); // else a close ends the streams
                connection.pipeline().addLast(codec.build(), new Http2MultiplexHandler(new Answers()));
            }
        };
    }

    @Sharable
    private class Answers extends ChannelInboundHandlerAdapter {
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

        @Override
        public void channelReadComplete(ChannelHandlerContext stream) {
            stream.flush();
        }
    }

    /** Any thread: Netty has the strand write. */
    private static void answer(ChannelHandlerContext stream, String text) {
        stream.writeAndFlush(new DefaultHttp2DataFrame(ByteBufUtil.writeUtf8(stream.alloc(), text), true));
    }
}

package org.cabrank.netty.example;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler.HandshakeComplete;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetSocketAddress;
import org.cabrank.netty.CabrankEventLoopGroup;
import org.cabrank.netty.CabrankServerSocketChannel;

/** A chat: each member hears what any member says, but for what comes while the member does not read. */
@Sharable
public final class WebSocketChat extends SimpleChannelInboundHandler<TextWebSocketFrame> {
    private final ChannelGroup members = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);

    /** @param bootstrap with its groups and channel class */
    public Channel listen(ServerBootstrap bootstrap, InetSocketAddress address) {
        return bootstrap
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(16_384, 65_536))
                .childOption(ChannelOption.SO_SNDBUF, 65_536) // else the kernel keeps megabytes for a slow reader
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel member) {
                        member.pipeline()
                                .addLast(
                                        new HttpServerCodec(),
                                        new HttpObjectAggregator(65_536),
                                        new WebSocketServerProtocolHandler("/"),
                                        WebSocketChat.this);
                    }
                })
                .bind(address)
                .syncUninterruptibly()
                .channel();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof HandshakeComplete) {
            members.add(context.channel());
        }
    }

    /** For a member that does not read, 64 KiB wait here at most and a few times that in the kernel. Nobody is held up. */
    @Override
    protected void channelRead0(ChannelHandlerContext context, TextWebSocketFrame said) {
        members.writeAndFlush(said.retain(), Channel::isWritable);
    }

    /** Serves the port. */
    public static void main(String[] arguments) {
        new WebSocketChat()
                .listen(
                        new ServerBootstrap()
                                .group(CabrankEventLoopGroup.builder().build())
                                .channel(CabrankServerSocketChannel.class),
                        new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])));
    }
}

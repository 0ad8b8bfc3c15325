package org.cabrank.bench.contender;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;

/** Flushes once per read loop, and stops reading while the peer takes answers too slowly. */
abstract class NettyHandler extends ChannelInboundHandlerAdapter {

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
        if (!context.channel().isWritable()) {
            setAutoRead(context.channel(), false);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        setAutoRead(context.channel(), context.channel().isWritable());
    }

    /** Does nothing if the peer has ended its output, because Netty over epoll would then fail (ENOENT). */
    private static void setAutoRead(Channel channel, boolean on) {
        if (!channel.eventLoop().inEventLoop()) {
            channel.eventLoop().execute(() -> setAutoRead(channel, on));
        } else if (!((DuplexChannel) channel).isInputShutdown()) {
            channel.config().setAutoRead(on);
        }
    }

    /** Sends the remaining answers first, because a peer that has ended its output (FIN or close_notify) may still wait for them. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event == ChannelInputShutdownReadComplete.INSTANCE || event == SslCloseCompletionEvent.SUCCESS) {
            context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        } else {
            context.fireUserEventTriggered(event);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        context.close();
    }
}

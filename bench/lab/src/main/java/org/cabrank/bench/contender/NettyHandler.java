package org.cabrank.bench.contender;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownReadComplete;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslCloseCompletionEvent;

/** Flushes once per read loop, and stops reading while the peer does not keep up. */
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

    /**
     * Sets it in the event loop, and not once the peer has sent its end: Netty over epoll fails to read then (ENOENT of epoll_ctl(2)), and
     * closes the channel with the answers that are still to be sent.
     */
    private static void setAutoRead(Channel channel, boolean on) {
        if (!channel.eventLoop().inEventLoop()) {
            channel.eventLoop().execute(() -> setAutoRead(channel, on));
        } else if (!((DuplexChannel) channel).isInputShutdown()) {
            channel.config().setAutoRead(on);
        }
    }

    /** The peer has sent all it had to send (FIN, or the close_notify of TLS), and may still be waiting for answers. */
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
        // A reset by the peer ends the connection, nothing else.
        context.close();
    }
}

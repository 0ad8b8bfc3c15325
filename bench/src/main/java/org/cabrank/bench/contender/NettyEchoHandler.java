package org.cabrank.bench.contender;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.cabrank.bench.serve.HandlerWork;

/** Writes back what was read, flushes once per read loop, and stops reading while the peer does not keep up. */
@Sharable
final class NettyEchoHandler extends ChannelInboundHandlerAdapter {

    private final HandlerWork work;

    NettyEchoHandler(HandlerWork work) {
        this.work = work;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        work.perform();
        context.write(message, context.voidPromise());
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
        if (!context.channel().isWritable()) {
            context.channel().config().setAutoRead(false);
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.channel().config().setAutoRead(context.channel().isWritable());
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        // A reset by the peer ends the connection, nothing else.
        context.close();
    }
}

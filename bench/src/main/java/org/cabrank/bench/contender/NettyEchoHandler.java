package org.cabrank.bench.contender;

import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import org.cabrank.bench.serve.HandlerWork;

/** Writes back what was read. */
@Sharable
final class NettyEchoHandler extends NettyHandler {

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

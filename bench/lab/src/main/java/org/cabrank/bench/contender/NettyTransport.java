package org.cabrank.bench.contender;

import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * Differences between Netty contenders.
 *
 * @param groups makes a group with the given number of event loops
 * @param connectionOptions options of accepted connections, in addition to those that all transports share
 * @param description text for the report
 */
record NettyTransport(
        IntFunction<? extends EventLoopGroup> groups,
        Class<? extends ServerChannel> channelType,
        Map<ChannelOption<Short>, Short> connectionOptions,
        String description) {

    NettyTransport(IoHandlerFactory handlers, Class<? extends ServerChannel> channelType) {
        this(groups(handlers), channelType, Map.of(), channelType.getSimpleName());
    }

    static IntFunction<EventLoopGroup> groups(IoHandlerFactory handlers) {
        return loops -> new MultiThreadIoEventLoopGroup(loops, handlers);
    }

    static ContenderUnavailableException unavailable(String name, Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String words = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        return new ContenderUnavailableException("Netty's " + name + " transport does not run here: " + words);
    }
}

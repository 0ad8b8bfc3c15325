package org.cabrank.bench.contender;

import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import java.util.Map;
import java.util.function.IntFunction;

/** Differences between Netty contenders. {@code connectionOptions} are added to the options that all transports share. */
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

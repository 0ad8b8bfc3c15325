package org.cabrank.bench.contender;

import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import java.util.Map;

/**
 * Differences between Netty contenders.
 *
 * @param handlers makes the part of an event loop that calls the kernel
 * @param channelType class of the listening channel
 * @param connectionOptions options of accepted connections, in addition to those that all transports share
 * @param description text for the report
 */
record NettyTransport(
        IoHandlerFactory handlers,
        Class<? extends ServerChannel> channelType,
        Map<ChannelOption<Short>, Short> connectionOptions,
        String description) {

    /** A transport without further options. */
    NettyTransport(IoHandlerFactory handlers, Class<? extends ServerChannel> channelType) {
        this(handlers, channelType, Map.of(), channelType.getSimpleName());
    }

    /** Netty's own word for why its native code does not run here. */
    static ContenderUnavailableException unavailable(String name, Throwable cause) {
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String words = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        return new ContenderUnavailableException("Netty's " + name + " transport does not run here: " + words);
    }
}

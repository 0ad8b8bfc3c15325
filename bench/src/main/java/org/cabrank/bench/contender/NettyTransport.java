package org.cabrank.bench.contender;

import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import java.util.Map;

/**
 * What distinguishes one Netty contender from another.
 *
 * @param handlers makes the event loop's part that speaks to the kernel
 * @param channelType of the listening socket
 * @param connectionOptions of the accepted ones, besides those that all transports have alike
 * @param description for the report
 */
record NettyTransport(
        IoHandlerFactory handlers,
        Class<? extends ServerChannel> channelType,
        Map<ChannelOption<Short>, Short> connectionOptions,
        String description) {

    /** With nothing to add. */
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

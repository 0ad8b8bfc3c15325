package org.cabrank.netty;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannelConfig;
import org.cabrank.kernel.Sockets;

/** A connection of a Unix socket. Its addresses are {@link java.net.UnixDomainSocketAddress}es. */
public final class CabrankDomainSocketChannel extends AbstractStreamChannel {
    private final UnixConfig config;

    public CabrankDomainSocketChannel() {
        this(null, ChannelSocket.open(Sockets.AF_UNIX, Sockets.SOCK_STREAM), false);
    }

    CabrankDomainSocketChannel(Channel parent, ChannelSocket socket, boolean active) {
        super(parent, socket, active);
        config = new UnixConfig(this);
    }

    @Override
    boolean allowsHalfClosure() {
        return config.isAllowHalfClosure();
    }

    @Override
    public DuplexChannelConfig config() {
        return config;
    }
}

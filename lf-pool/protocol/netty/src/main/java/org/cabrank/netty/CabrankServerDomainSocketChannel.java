package org.cabrank.netty;

import io.netty.channel.Channel;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import org.cabrank.kernel.Sockets;

/** A listening Unix socket. Closing the channel removes the file that binding has created. */
public final class CabrankServerDomainSocketChannel extends AbstractListeningChannel {
    private volatile SocketAddress bound;

    public CabrankServerDomainSocketChannel() {
        super(ChannelSocket.open(Sockets.AF_UNIX, Sockets.SOCK_STREAM), false, KernelOption.UNIX_SERVER);
    }

    @Override
    Channel newChild(ChannelSocket accepted) {
        return new CabrankDomainSocketChannel(this, accepted, true);
    }

    @Override
    protected void doBind(SocketAddress address) throws Exception {
        super.doBind(address);
        bound = address;
    }

    @Override
    protected void doClose() {
        SocketAddress file = bound;
        bound = null;
        super.doClose();
        if (file instanceof UnixDomainSocketAddress path) {
            try {
                Files.deleteIfExists(path.getPath());
            } catch (IOException left) {
                pipeline().fireExceptionCaught(left);
            }
        }
    }
}

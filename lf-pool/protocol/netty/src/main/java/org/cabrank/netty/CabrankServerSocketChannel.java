package org.cabrank.netty;

import io.netty.channel.Channel;
import io.netty.channel.socket.ServerSocketChannel;
import java.net.InetSocketAddress;
import org.cabrank.kernel.Sockets;

/** A listening TCP socket, for {@link io.netty.bootstrap.ServerBootstrap#channel} with a {@link CabrankEventLoopGroup}. */
public final class CabrankServerSocketChannel extends AbstractListeningChannel implements ServerSocketChannel {

    /** Opens an unbound socket. */
    public CabrankServerSocketChannel() {
        this(ChannelSocket.open(Sockets.SOCK_STREAM), false);
    }

    /**
     * Takes over a listening TCP socket, for example of systemd or of the process that this process replaces. The channel owns the
     * descriptor, unless the constructor throws. Closing the channel does not end the listening of other processes.
     *
     * <pre>{@code
     * bootstrap.channelFactory(() -> new CabrankServerSocketChannel(descriptor)).register();
     * }</pre>
     */
    public CabrankServerSocketChannel(int descriptor) {
        this(ChannelSocket.adopt(descriptor), true);
    }

    private CabrankServerSocketChannel(ChannelSocket socket, boolean active) {
        super(socket, active, KernelOption.SERVER);
        socket.options().option(Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1); // accepted connections inherit it
    }

    /**
     * Returns a duplicate of the descriptor for another process, which continues to listen when this channel is closed. The caller passes
     * the duplicate (SCM_RIGHTS, unix(7)) and closes it. Any thread.
     *
     * @throws io.netty.channel.ChannelException if the channel is closed, or the kernel has no free descriptor
     */
    public int share() {
        return socket.share();
    }

    @Override
    Channel newChild(ChannelSocket accepted) {
        return new CabrankSocketChannel(this, accepted, true);
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) super.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return null;
    }
}

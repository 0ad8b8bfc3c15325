package org.cabrank.netty;

import io.netty.channel.ChannelException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ClosedChannelException;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Sockets;
import org.cabrank.kernel.layout.Linger;
import org.cabrank.socket.calls.EncodedOptions;
import org.cabrank.socket.calls.MulticastGroups;
import org.cabrank.stream.SocketOption;

/** Options and multicast groups of a socket. Any thread may use them. The calls and the close of the socket exclude each other. */
final class ChannelSocketOptions {
    private final ChannelSocket socket;

    /** True if SO_LINGER is 0. */
    private volatile boolean resetsOnClose;

    ChannelSocketOptions(ChannelSocket socket) {
        this.socket = socket;
    }

    boolean resetsOnClose() {
        return resetsOnClose;
    }

    boolean isIpv6() {
        return socket.domain() == Sockets.AF_INET6;
    }

    private void requireOpen() {
        if (!socket.isOpen()) {
            throw new ChannelException(new ClosedChannelException());
        }
    }

    void joinGroup(InetAddress group, NetworkInterface via, InetAddress source) throws IOException {
        synchronized (socket) {
            requireOpen();
            MulticastGroups.join(ChannelSocket.CALLS, socket.fd(), group, via, source);
        }
    }

    void leaveGroup(InetAddress group, NetworkInterface via, InetAddress source) throws IOException {
        synchronized (socket) {
            requireOpen();
            Errno.check(
                    "leaving " + group, MulticastGroups.leave(ChannelSocket.CALLS, socket.fd(), group, via, source));
        }
    }

    void multicastInterface(NetworkInterface via) {
        synchronized (socket) {
            requireOpen();
            try {
                MulticastGroups.outgoingInterface(ChannelSocket.CALLS, socket.fd(), isIpv6(), via);
            } catch (IOException refused) {
                throw new ChannelException(refused.getMessage(), refused);
            }
        }
    }

    int option(int level, int name) {
        synchronized (socket) {
            requireOpen();
            try {
                return ChannelSocket.CALLS.intOption(socket.fd(), level, name, level + "/" + name);
            } catch (IOException refused) {
                throw new ChannelException(refused);
            }
        }
    }

    void option(int level, int name, int value) {
        synchronized (socket) {
            requireOpen();
            int result = ChannelSocket.CALLS.option(socket.fd(), level, name, value);
            if (result < 0) {
                throw new ChannelException(
                        Errno.exception("setsockopt " + level + "/" + name + " (" + value + ")", result));
            }
        }
    }

    void option(int level, int name, byte[] value) throws IOException {
        synchronized (socket) {
            requireOpen();
            Errno.check(
                    "setsockopt " + level + "/" + name, ChannelSocket.CALLS.setOption(socket.fd(), level, name, value));
        }
    }

    <T> T option(SocketOption<T> option) {
        synchronized (socket) {
            requireOpen();
            try {
                return EncodedOptions.get(ChannelSocket.CALLS, socket.fd(), option);
            } catch (IOException refused) {
                throw new ChannelException(refused.getMessage(), refused);
            }
        }
    }

    <T> void option(SocketOption<T> option, T value) {
        synchronized (socket) {
            requireOpen();
            try {
                EncodedOptions.set(ChannelSocket.CALLS, socket.fd(), option, value);
            } catch (IOException refused) {
                throw new ChannelException(refused.getMessage(), refused);
            }
        }
    }

    int linger() {
        synchronized (socket) {
            requireOpen();
            byte[] value = new byte[Linger.SIZE_BYTES];
            int result = ChannelSocket.CALLS.option(socket.fd(), Sockets.SOL_SOCKET, Sockets.SO_LINGER, value);
            if (result < 0) {
                throw new ChannelException(Errno.exception("getsockopt SO_LINGER", result));
            }
            ByteBuffer linger = ByteBuffer.wrap(value).order(ByteOrder.nativeOrder());
            return linger.getInt(Linger.ONOFF_OFFSET) == 0 ? -1 : linger.getInt(Linger.LINGER_OFFSET);
        }
    }

    void linger(int seconds) {
        synchronized (socket) {
            requireOpen();
            byte[] value = new byte[Linger.SIZE_BYTES];
            ByteBuffer.wrap(value)
                    .order(ByteOrder.nativeOrder())
                    .putInt(Linger.ONOFF_OFFSET, seconds < 0 ? 0 : 1)
                    .putInt(Linger.LINGER_OFFSET, Math.max(0, seconds));
            int result = ChannelSocket.CALLS.setOption(socket.fd(), Sockets.SOL_SOCKET, Sockets.SO_LINGER, value);
            if (result < 0) {
                throw new ChannelException(Errno.exception("setsockopt SO_LINGER", result));
            }
            resetsOnClose = seconds == 0;
        }
    }
}

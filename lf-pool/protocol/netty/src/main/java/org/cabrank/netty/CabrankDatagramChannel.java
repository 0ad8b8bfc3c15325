package org.cabrank.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AddressedEnvelope;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultAddressedEnvelope;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.DatagramChannelConfig;
import io.netty.channel.socket.DatagramPacket;
import io.netty.channel.socket.SocketProtocolFamily;
import io.netty.util.UncheckedBooleanSupplier;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.Sockets;

/** A UDP socket, for {@link io.netty.bootstrap.Bootstrap#channel} with a {@link CabrankEventLoopGroup}. */
public final class CabrankDatagramChannel extends AbstractCabrankChannel implements DatagramChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(true, 16);

    private final DatagramConfig config;
    private volatile boolean connected;

    /** Opens a socket for IPv4 and IPv6. If the kernel has no IPv6, the socket is only for IPv4. */
    public CabrankDatagramChannel() {
        this(ChannelSocket.open(Sockets.SOCK_DGRAM));
    }

    /** Opens an IPv4 socket if the family is INET. Otherwise like {@link #CabrankDatagramChannel()}. */
    public CabrankDatagramChannel(SocketProtocolFamily family) {
        this(
                family == SocketProtocolFamily.INET
                        ? ChannelSocket.open(Sockets.AF_INET, Sockets.SOCK_DGRAM)
                        : ChannelSocket.open(Sockets.SOCK_DGRAM));
    }

    private CabrankDatagramChannel(ChannelSocket socket) {
        super(null, socket, false);
        config = new DatagramConfig(this);
    }

    @Override
    public DatagramChannelConfig config() {
        return config;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) super.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return (InetSocketAddress) super.remoteAddress();
    }

    @Override
    public boolean isActive() {
        return isOpen() && !inactiveDue && (active || config.isActiveOnRegistration() && isRegistered());
    }

    @Override
    public boolean isConnected() {
        return connected;
    }

    /** Returns true, because an unbound socket can send. */
    @Override
    boolean isWatchedUnbound() {
        return true;
    }

    @Override
    protected void doBind(SocketAddress address) throws Exception {
        super.doBind(address);
        active = true;
    }

    @Override
    boolean doConnect(SocketAddress to, SocketAddress from) throws Exception {
        connected = super.doConnect(to, from);
        return connected;
    }

    @Override
    protected void doDisconnect() {
        socket.disconnect();
        connected = false;
        active = false;
        forgetAddresses();
    }

    @Override
    void readReady() {
        if (isInputOver()) {
            inputReady = false;
            return;
        }
        CabrankUnsafe unsafe = unsafe();
        ChannelPipeline pipeline = pipeline();
        ByteBufAllocator allocator = alloc();
        RecvByteBufAllocator.ExtendedHandle guess = unsafe.recvBufAllocHandle();
        guess.reset(config);
        boolean received = false;
        Throwable failure = null;
        unsafe.inRead = true;
        try {
            do {
                DatagramPacket packet = receivePacket(guess, allocator);
                if (packet == null) {
                    break;
                }
                unsafe.readPending = false;
                received = true;
                pipeline.fireChannelRead(packet);
            } while (!isInputOver() && guess.continueReading(UncheckedBooleanSupplier.TRUE_SUPPLIER));
        } catch (Throwable refused) {
            failure = refused;
        }
        try {
            if (received || failure != null) {
                guess.readComplete();
                pipeline.fireChannelReadComplete();
            }
            if (failure != null) {
                pipeline.fireExceptionCaught(failure);
            }
        } finally {
            unsafe.inRead = false;
            readDone();
        }
    }

    private DatagramPacket receivePacket(RecvByteBufAllocator.ExtendedHandle guess, ByteBufAllocator allocator)
            throws IOException {
        ByteBuf buffer = DirectBuffers.allocate(guess, allocator);
        boolean taken = false;
        try {
            int room = buffer.writableBytes();
            guess.attemptedBytesRead(room);
            MessagePieces pieces = MessagePieces.empty();
            pieces.add(buffer, buffer.writerIndex(), room);
            int count = receive(pieces);
            inputReady = count >= 0;
            guess.lastBytesRead(count);
            if (count < 0) {
                return null;
            }
            guess.incMessagesRead(1);
            buffer.writerIndex(buffer.writerIndex() + count);
            SocketAddress from = pieces.decodeAddress();
            taken = true;
            return new DatagramPacket(
                    buffer, localAddress(), from == null ? remoteAddress() : (InetSocketAddress) from);
        } finally {
            if (!taken) {
                buffer.release();
            }
        }
    }

    private int receive(MessagePieces pieces) throws IOException {
        try {
            return socket.receiveMessage(pieces.headerToReceive());
        } catch (KernelException failure) {
            throw asNettyReports(failure);
        }
    }

    /** If the peer of a connected socket has answered that its port is closed, returns the exception that Netty uses for this. */
    private IOException asNettyReports(KernelException failure) {
        return connected && failure.errno() == Errno.ECONNREFUSED
                ? (IOException) new PortUnreachableException(failure.getMessage()).initCause(failure)
                : failure;
    }

    @Override
    protected Object filterOutboundMessage(Object message) {
        if (message instanceof DatagramPacket packet) {
            requireResolved(packet.recipient());
            ByteBuf content = packet.content();
            return DirectBuffers.isSentInPlace(content)
                    ? packet
                    : new DatagramPacket(DirectBuffers.copy(alloc(), packet, content), packet.recipient());
        }
        if (message instanceof ByteBuf buffer) {
            return DirectBuffers.isSentInPlace(buffer) ? buffer : DirectBuffers.copy(alloc(), buffer, buffer);
        }
        if (message instanceof AddressedEnvelope<?, ?> envelope
                && envelope.content() instanceof ByteBuf content
                && (envelope.recipient() == null || envelope.recipient() instanceof InetSocketAddress)) {
            InetSocketAddress to = (InetSocketAddress) envelope.recipient();
            requireResolved(to);
            return DirectBuffers.isSentInPlace(content)
                    ? envelope
                    : new DefaultAddressedEnvelope<>(DirectBuffers.copy(alloc(), envelope, content), to);
        }
        throw new UnsupportedOperationException("a datagram channel takes DatagramPacket, ByteBuf and"
                + " AddressedEnvelope<ByteBuf, InetSocketAddress>, and not "
                + message.getClass().getName() + ": add an encoder to the pipeline");
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer in) {
        int left = maxMessagesPerWrite();
        // A listener of a write may close the channel.
        for (Object message = in.current(); message != null && !isClosing(); message = in.current()) {
            if (left-- == 0) {
                writeLater();
                return;
            }
            try {
                if (!sendPacket(message)) {
                    outputFull = true;
                    return;
                }
                in.remove();
            } catch (KernelException refused) {
                in.remove(asNettyReports(refused)); // other datagrams may have other destinations
            } catch (IOException refused) {
                in.remove(refused);
            }
        }
    }

    private boolean sendPacket(Object message) throws IOException {
        ByteBuf content;
        SocketAddress to = null;
        if (message instanceof AddressedEnvelope<?, ?> envelope) {
            content = (ByteBuf) envelope.content();
            to = envelope.recipient();
        } else {
            content = (ByteBuf) message;
        }
        int length = content.readableBytes();
        if (length == 0) {
            return true;
        }
        MessagePieces pieces = MessagePieces.empty();
        pieces.add(content, content.readerIndex(), length);
        return socket.sendMessage(pieces.header(to == null ? 0 : socket.encode(to, pieces.address()))) > 0;
    }

    private ChannelFuture inStrand(ChannelPromise promise, SocketTask task) {
        Runnable run = () -> {
            try {
                task.run();
                promise.setSuccess();
            } catch (Throwable refused) { // a ChannelException if the channel is closed
                promise.setFailure(refused);
            }
        };
        ((Strand) eventLoop()).runInside(run);
        return promise;
    }

    private interface SocketTask {
        void run() throws IOException;
    }

    /** Returns the configured interface. If it is null, the kernel chooses an interface by the route to the group. */
    private NetworkInterface via() {
        return config.getNetworkInterface();
    }

    @Override
    public ChannelFuture joinGroup(InetAddress group) {
        return joinGroup(group, newPromise());
    }

    @Override
    public ChannelFuture joinGroup(InetAddress group, ChannelPromise promise) {
        return joinGroup(group, via(), null, promise);
    }

    @Override
    public ChannelFuture joinGroup(InetSocketAddress group, NetworkInterface via) {
        return joinGroup(group, via, newPromise());
    }

    @Override
    public ChannelFuture joinGroup(InetSocketAddress group, NetworkInterface via, ChannelPromise promise) {
        return joinGroup(group.getAddress(), via, null, promise);
    }

    @Override
    public ChannelFuture joinGroup(InetAddress group, NetworkInterface via, InetAddress source) {
        return joinGroup(group, via, source, newPromise());
    }

    @Override
    public ChannelFuture joinGroup(
            InetAddress group, NetworkInterface via, InetAddress source, ChannelPromise promise) {
        return inStrand(promise, () -> socket.options().joinGroup(group, via, source));
    }

    @Override
    public ChannelFuture leaveGroup(InetAddress group) {
        return leaveGroup(group, newPromise());
    }

    @Override
    public ChannelFuture leaveGroup(InetAddress group, ChannelPromise promise) {
        return leaveGroup(group, via(), null, promise);
    }

    @Override
    public ChannelFuture leaveGroup(InetSocketAddress group, NetworkInterface via) {
        return leaveGroup(group, via, newPromise());
    }

    @Override
    public ChannelFuture leaveGroup(InetSocketAddress group, NetworkInterface via, ChannelPromise promise) {
        return leaveGroup(group.getAddress(), via, null, promise);
    }

    @Override
    public ChannelFuture leaveGroup(InetAddress group, NetworkInterface via, InetAddress source) {
        return leaveGroup(group, via, source, newPromise());
    }

    @Override
    public ChannelFuture leaveGroup(
            InetAddress group, NetworkInterface via, InetAddress source, ChannelPromise promise) {
        return inStrand(promise, () -> socket.options().leaveGroup(group, via, source));
    }

    @Override
    public ChannelFuture block(InetAddress group, NetworkInterface via, InetAddress source) {
        return block(group, via, source, newPromise());
    }

    /** Always fails. Join the group with the wanted sources instead. */
    @Override
    public ChannelFuture block(InetAddress group, NetworkInterface via, InetAddress source, ChannelPromise promise) {
        return promise.setFailure(new UnsupportedOperationException(
                "sources cannot be blocked: join the group with the sources that are wanted"));
    }

    @Override
    public ChannelFuture block(InetAddress group, InetAddress source) {
        return block(group, source, newPromise());
    }

    @Override
    public ChannelFuture block(InetAddress group, InetAddress source, ChannelPromise promise) {
        return block(group, via(), source, promise);
    }
}

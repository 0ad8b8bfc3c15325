package org.cabrank.netty;

import io.netty.channel.Channel;
import io.netty.channel.ChannelMetadata;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.ServerSocketChannelConfig;
import java.net.SocketAddress;
import java.util.Map;

abstract class AbstractListeningChannel extends AbstractCabrankChannel implements ServerChannel {
    private static final ChannelMetadata METADATA = new ChannelMetadata(false, 16);

    private final ListenConfig config;

    AbstractListeningChannel(ChannelSocket socket, boolean active, Map<ChannelOption<?>, KernelOption<?>> options) {
        super(null, socket, active);
        config = new ListenConfig(this, options);
    }

    abstract Channel newChild(ChannelSocket accepted);

    @Override
    public ServerSocketChannelConfig config() {
        return config;
    }

    @Override
    public ChannelMetadata metadata() {
        return METADATA;
    }

    @Override
    boolean isReadOnly() {
        return true;
    }

    @Override
    protected void doBind(SocketAddress address) throws Exception {
        super.doBind(address);
        socket.listen(config.getBacklog());
        watch();
        active = true;
    }

    @Override
    void readReady() {
        if (isInputOver()) {
            inputReady = false;
            return;
        }
        CabrankUnsafe unsafe = unsafe();
        ChannelPipeline pipeline = pipeline();
        RecvByteBufAllocator.ExtendedHandle guess = unsafe.recvBufAllocHandle();
        guess.reset(config);
        guess.attemptedBytesRead(1);
        boolean received = false;
        Throwable failure = null;
        unsafe.inRead = true;
        try {
            do {
                ChannelSocket accepted = socket.accept();
                inputReady = accepted != null;
                guess.lastBytesRead(inputReady ? 1 : -1);
                if (!inputReady) {
                    break;
                }
                guess.incMessagesRead(1);
                unsafe.readPending = false;
                received = true;
                pipeline.fireChannelRead(childOrClose(accepted));
            } while (!isInputOver() && guess.continueReading());
        } catch (Throwable refused) {
            failure = refused;
            if (endReported) { // another process has ended the listening, so each further accept would fail
                inputReady = false;
            }
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

    private Channel childOrClose(ChannelSocket accepted) {
        try {
            return newChild(accepted);
        } catch (Throwable failure) {
            accepted.close();
            throw failure;
        }
    }

    @Override
    protected SocketAddress remoteAddress0() {
        return null;
    }

    @Override
    protected Object filterOutboundMessage(Object message) {
        throw new UnsupportedOperationException("a listening channel writes nothing");
    }

    @Override
    protected void doWrite(ChannelOutboundBuffer in) {
        throw new UnsupportedOperationException("a listening channel writes nothing");
    }

    @Override
    protected CabrankUnsafe newUnsafe() {
        return new ListeningUnsafe();
    }

    private final class ListeningUnsafe extends CabrankUnsafe {
        @Override
        public void connect(SocketAddress to, SocketAddress from, ChannelPromise promise) {
            promise.setFailure(new UnsupportedOperationException("a listening channel does not connect"));
        }
    }
}

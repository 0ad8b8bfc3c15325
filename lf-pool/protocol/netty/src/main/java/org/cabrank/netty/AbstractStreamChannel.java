package org.cabrank.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultFileRegion;
import io.netty.channel.FileRegion;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.DuplexChannel;
import java.io.EOFException;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Sockets;
import org.cabrank.stream.transport.StreamContext;
import org.cabrank.stream.transport.StreamCount;

abstract class AbstractStreamChannel extends AbstractCabrankChannel implements DuplexChannel {
    /** Result of {@link #sendFile} if the kernel cannot send the file by itself. */
    private static final long COPY = -1;

    private WritableByteChannel regionTarget;

    /** Shard in which the connection has a place. Null before it takes the place, and after it gives the place back. */
    private StreamContext shard;

    private boolean opened;

    AbstractStreamChannel(Channel parent, ChannelSocket socket, boolean active) {
        super(parent, socket, active);
        receivesStopEarly = socket.domain() == Sockets.AF_UNIX;
    }

    @Override
    boolean joins(StreamContext ofStrand) {
        if (!active) {
            return true; // connects later
        }
        if (!takePlace(ofStrand)) {
            socket.options().linger(0); // the peer gets a reset
            return false;
        }
        opened();
        return true;
    }

    private boolean takePlace(StreamContext from) {
        if (!from.totals().connections().tryTake(null)) {
            from.count(StreamCount.OVER_LIMIT);
            return false;
        }
        shard = from;
        return true;
    }

    @Override
    boolean doConnect(SocketAddress to, SocketAddress from) throws Exception {
        StreamContext ofStrand = ((Strand) eventLoop()).shard();
        if (shard == null && !takePlace(ofStrand)) {
            throw new IOException("the reactor has "
                    + ofStrand.totals().connections().max()
                    + " connections, the limit; close some, or raise StreamLimits.connectionsMax");
        }
        return super.doConnect(to, from);
    }

    @Override
    final void opened() {
        opened = true;
        shard.count(StreamCount.GUEST_OPENED);
    }

    @Override
    protected void doClose() {
        super.doClose();
        StreamContext taken = shard;
        if (taken != null) {
            shard = null;
            taken.totals().connections().giveBack(null);
            if (opened) {
                taken.count(StreamCount.GUEST_CLOSED);
            }
        }
    }

    /** Too long for the JIT compiler to inline, so its system call is only a few calls deep when compiled. A deeper call would allocate. */
    @Override
    void readReady() {
        if (isInputOver()) {
            inputReady = false;
            stopReading();
            return;
        }
        CabrankUnsafe unsafe = unsafe();
        ChannelPipeline pipeline = pipeline();
        ByteBufAllocator allocator = alloc();
        RecvByteBufAllocator.ExtendedHandle guess = unsafe.recvBufAllocHandle();
        guess.reset(config());
        ByteBuf buffer = null;
        boolean received = false;
        boolean ended = false;
        unsafe.inRead = true;
        try {
            do {
                buffer = DirectBuffers.allocate(guess, allocator);
                int room = buffer.writableBytes();
                guess.attemptedBytesRead(room);
                int index = buffer.writerIndex();
                long address = buffer.hasMemoryAddress()
                        ? buffer.memoryAddress() + index
                        : DirectBuffers.address(buffer, index, room);
                int count = socket.receive(address, room);
                if (count > 0) {
                    buffer.writerIndex(index + count);
                }
                guess.lastBytesRead(count);
                // A stream is empty if it fills less, unless it stops early.
                inputReady = count == room || count > 0 && (endReported || receivesStopEarly);
                if (count <= 0) {
                    buffer.release();
                    buffer = null;
                    ended = count < 0;
                    unsafe.readPending &= !ended;
                    break;
                }
                guess.incMessagesRead(1);
                unsafe.readPending = false;
                ByteBuf read = buffer;
                buffer = null;
                received = true;
                pipeline.fireChannelRead(read);
            } while (!isInputOver() && guess.continueReading());
            if (received || ended) { // the bytes of this event may have been received because of the one before
                guess.readComplete();
                pipeline.fireChannelReadComplete();
            }
            if (ended) {
                unsafe.shutdownInput(true);
            }
        } catch (Throwable failure) {
            failed(failure, buffer, ended, guess);
        } finally {
            unsafe.inRead = false;
            readDone();
        }
    }

    private void failed(Throwable failure, ByteBuf buffer, boolean ended, RecvByteBufAllocator.ExtendedHandle guess) {
        inputReady = false;
        if (buffer != null) {
            buffer.release();
        }
        guess.readComplete();
        pipeline().fireChannelReadComplete();
        pipeline().fireExceptionCaught(failure);
        if (ended || failure instanceof IOException || failure instanceof OutOfMemoryError) {
            unsafe().shutdownInput(true);
        }
    }

    @Override
    protected Object filterOutboundMessage(Object message) {
        if (message instanceof ByteBuf buffer) {
            return DirectBuffers.isSentInPlace(buffer) ? buffer : DirectBuffers.copy(alloc(), buffer, buffer);
        }
        if (message instanceof FileRegion) {
            return message;
        }
        throw new UnsupportedOperationException("a stream takes ByteBuf and FileRegion, and not "
                + message.getClass().getName() + ": add an encoder to the pipeline");
    }

    /** Not split into shorter methods, for the same reason as {@code readReady}. */
    @Override
    protected void doWrite(ChannelOutboundBuffer in) throws Exception {
        for (int turns = config().getWriteSpinCount(); turns > 0; turns--) {
            Object first = in.current();
            if (first == null || isClosing()) { // a listener of a write may close the channel
                return;
            }
            long wanted;
            long count;
            if (first instanceof FileRegion region) {
                wanted = region.count() - region.transferred();
                count = 0;
                if (wanted > 0) {
                    count = region instanceof DefaultFileRegion file ? sendFile(file) : COPY;
                    if (count == COPY) {
                        if (regionTarget == null) {
                            regionTarget = new RegionTarget();
                        }
                        count = region.transferTo(regionTarget, region.transferred());
                    }
                }
                if (count > 0) {
                    in.progress(count);
                }
                if (region.transferred() >= region.count()) {
                    in.remove();
                }
            } else if (in.size() == 1 && ((ByteBuf) first).nioBufferCount() == 1) {
                ByteBuf buffer = (ByteBuf) first;
                int length = buffer.readableBytes();
                int index = buffer.readerIndex();
                long address = buffer.hasMemoryAddress()
                        ? buffer.memoryAddress() + index
                        : DirectBuffers.address(buffer, index, length);
                wanted = length;
                count = length == 0 ? 0 : socket.send(address, length);
                in.removeBytes(count);
            } else {
                MessagePieces pieces = MessagePieces.empty();
                in.forEachFlushedMessage(pieces);
                wanted = pieces.bytes();
                count = wanted == 0 ? 0 : socket.sendMessage(pieces.header(0));
                in.removeBytes(count);
            }
            if (count <= 0 && wanted > 0) {
                outputFull = true;
                return;
            }
        }
        writeLater();
    }

    private long sendFile(DefaultFileRegion region) throws IOException {
        int file = FileRegions.descriptor(region);
        if (file == FileRegions.UNKNOWN) {
            return COPY;
        }
        long left = region.count() - region.transferred();
        int count = MessagePieces.empty().sendFile(socket, file, region.position() + region.transferred(), left);
        if (count == -Errno.EINVAL) { // a file that the kernel cannot send in this way, such as those of /proc
            return COPY;
        }
        if (count == 0) {
            throw new EOFException("the file ends before the region, " + left + " bytes of which are left");
        }
        if (count > 0) {
            FileRegions.sent(region, count);
        }
        return Math.max(0, count);
    }

    private final class RegionTarget implements WritableByteChannel {
        @Override
        public int write(ByteBuffer source) throws IOException {
            int length = source.remaining();
            if (length == 0) {
                return 0;
            }
            int count;
            if (source.isDirect()) {
                count = socket.send(ChannelSocket.KERNEL.addressOf(source) + source.position(), length);
            } else {
                ByteBuf copy = alloc().directBuffer(length).writeBytes(source.duplicate());
                try {
                    count = socket.send(DirectBuffers.address(copy, 0, length), length);
                } finally {
                    copy.release();
                }
            }
            Reference.reachabilityFence(source);
            source.position(source.position() + count);
            return count;
        }

        @Override
        public boolean isOpen() {
            return AbstractStreamChannel.this.isOpen();
        }

        @Override
        public void close() {
            AbstractStreamChannel.this.close();
        }
    }

    @Override
    public boolean isInputShutdown() {
        return socket.isInputShutdown();
    }

    @Override
    public boolean isOutputShutdown() {
        return socket.isOutputShutdown();
    }

    @Override
    public boolean isShutdown() {
        return isInputShutdown() && isOutputShutdown();
    }

    @Override
    protected void doShutdownOutput() throws Exception {
        socket.shutdownOutput();
    }

    @Override
    public ChannelFuture shutdownOutput() {
        return shutdownOutput(newPromise());
    }

    @Override
    public ChannelFuture shutdownOutput(ChannelPromise promise) {
        ((Strand) eventLoop()).runInside(() -> unsafe().shutdownOutput(promise));
        return promise;
    }

    @Override
    public ChannelFuture shutdownInput() {
        return shutdownInput(newPromise());
    }

    @Override
    public ChannelFuture shutdownInput(ChannelPromise promise) {
        ((Strand) eventLoop()).runInside(() -> {
            try {
                socket.shutdownInput();
                promise.setSuccess();
            } catch (Throwable refused) {
                promise.setFailure(refused);
            }
        });
        return promise;
    }

    @Override
    public ChannelFuture shutdown() {
        return shutdown(newPromise());
    }

    @Override
    public ChannelFuture shutdown(ChannelPromise promise) {
        shutdownOutput()
                .addListener(output -> shutdownInput().addListener(input -> {
                    Throwable failure = output.cause() != null ? output.cause() : input.cause();
                    if (failure == null) {
                        promise.setSuccess();
                    } else {
                        promise.setFailure(failure);
                    }
                }));
        return promise;
    }

    @Override
    protected CabrankUnsafe newUnsafe() {
        return new StreamUnsafe();
    }

    private final class StreamUnsafe extends CabrankUnsafe {
        private RecvByteBufAllocator.ExtendedHandle readHandle;

        @Override
        public RecvByteBufAllocator.ExtendedHandle recvBufAllocHandle() {
            if (readHandle == null) {
                readHandle = new StreamReadHandle(super.recvBufAllocHandle(), AbstractStreamChannel.this);
            }
            return readHandle;
        }
    }
}

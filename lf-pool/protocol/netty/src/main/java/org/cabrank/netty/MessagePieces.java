package org.cabrank.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.util.concurrent.FastThreadLocal;
import java.io.IOException;
import java.lang.ref.Reference;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.layout.IoVec;
import org.cabrank.kernel.layout.MsgHdr;

/** Native memory of the calling thread for one sendmsg(2) or recvmsg(2): message header, address and pieces. */
final class MessagePieces implements ChannelOutboundBuffer.MessageProcessor {
    /** Maximum number of pieces of one call: the kernel's limit (UIO_MAXIOV). */
    static final int PIECES_MAX = 1024;

    /** Maximum number of bytes that are gathered for one call. A socket buffer usually takes fewer bytes. */
    private static final int BYTES_MAX = 4 << 20;

    /** Maximum number of bytes for one sendfile(2). The call blocks while the disk is read. */
    private static final int FILE_BYTES_MAX = 1 << 20;

    private static final int ADDRESS_OFFSET = 64;
    private static final int PIECES_OFFSET = ADDRESS_OFFSET + SocketAddresses.ROOM_BYTES;

    private static final FastThreadLocal<MessagePieces> OF_THREAD = new FastThreadLocal<>() {
        @Override
        protected MessagePieces initialValue() {
            return new MessagePieces();
        }
    };

    private final ByteBuffer memory = ByteBuffer.allocateDirect(PIECES_OFFSET + PIECES_MAX * IoVec.SIZE_BYTES)
            .order(ByteOrder.nativeOrder());

    private final ByteBuffer address =
            memory.slice(ADDRESS_OFFSET, SocketAddresses.ROOM_BYTES).order(ByteOrder.nativeOrder());

    private final long base = ChannelSocket.KERNEL.addressOf(memory);
    private int pieces;
    private long bytes;

    private MessagePieces() {}

    static MessagePieces empty() {
        MessagePieces own = OF_THREAD.get();
        own.pieces = 0;
        own.bytes = 0;
        return own;
    }

    int pieces() {
        return pieces;
    }

    long bytes() {
        return bytes;
    }

    ByteBuffer address() {
        return address;
    }

    /** Writes a header with {@code addressLength} bytes of {@link #address}; 0 omits the address. Returns the header's memory address. */
    long header(int addressLength) {
        memory.putLong(MsgHdr.NAME_OFFSET, addressLength == 0 ? 0 : base + ADDRESS_OFFSET);
        memory.putInt(MsgHdr.NAMELEN_OFFSET, addressLength);
        memory.putLong(MsgHdr.IOV_OFFSET, base + PIECES_OFFSET);
        memory.putLong(MsgHdr.IOVLEN_OFFSET, pieces);
        memory.putLong(MsgHdr.CONTROL_OFFSET, 0);
        memory.putLong(MsgHdr.CONTROLLEN_OFFSET, 0);
        memory.putInt(MsgHdr.FLAGS_OFFSET, 0);
        return base;
    }

    /** Writes a {@link #header} for recvmsg(2). The call then fills in the address of the sender. */
    long headerToReceive() {
        return header(SocketAddresses.ROOM_BYTES);
    }

    /** Returns the address that recvmsg(2) or accept4(2) has written; null if there is none. */
    SocketAddress decodeAddress() {
        int length = memory.getInt(MsgHdr.NAMELEN_OFFSET);
        return length == 0 ? null : SocketAddresses.decode(address, length);
    }

    /** Adds the readable bytes of a message. Returns false if the message is not a buffer or does not fit. */
    @Override
    public boolean processMessage(Object message) {
        return message instanceof ByteBuf buffer && add(buffer, buffer.readerIndex(), buffer.readableBytes());
    }

    boolean add(ByteBuf buffer, int index, int length) {
        if (length == 0) {
            return true;
        }
        if (bytes > 0 && bytes + length > BYTES_MAX) {
            return false;
        }
        if (buffer.hasMemoryAddress()) {
            return add(buffer.memoryAddress() + index, length);
        }
        if (buffer.nioBufferCount() == 1) {
            return add(buffer.internalNioBuffer(index, length));
        }
        ByteBuffer[] parts = buffer.nioBuffers(index, length);
        if (pieces + parts.length > PIECES_MAX) {
            return false;
        }
        for (ByteBuffer part : parts) {
            add(part);
        }
        return true;
    }

    private boolean add(ByteBuffer part) {
        int length = part.remaining();
        boolean added = length == 0 || add(ChannelSocket.KERNEL.addressOf(part) + part.position(), length);
        Reference.reachabilityFence(part); // until the call returns, the caller keeps the message that owns the memory
        return added;
    }

    private boolean add(long from, int length) {
        if (pieces == PIECES_MAX) {
            return false;
        }
        int offset = PIECES_OFFSET + pieces * IoVec.SIZE_BYTES;
        memory.putLong(offset + IoVec.BASE_OFFSET, from);
        memory.putLong(offset + IoVec.LEN_OFFSET, length);
        pieces++;
        bytes += length;
        return true;
    }

    int sendFile(ChannelSocket socket, int file, long position, long count) throws IOException {
        memory.putLong(ADDRESS_OFFSET, position);
        return socket.sendFile(file, base + ADDRESS_OFFSET, (int) Math.min(count, FILE_BYTES_MAX));
    }

    int accept(int fd, int flags) {
        memory.putInt(MsgHdr.NAMELEN_OFFSET, SocketAddresses.ROOM_BYTES);
        return ChannelSocket.KERNEL.accept4(fd, base + ADDRESS_OFFSET, base + MsgHdr.NAMELEN_OFFSET, flags);
    }
}

package org.cabrank.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/** Buffers that the kernel can access in place. */
final class DirectBuffers {
    private DirectBuffers() {}

    static boolean isSentInPlace(ByteBuf buffer) {
        return buffer.hasMemoryAddress() || buffer.isDirect() && buffer.nioBufferCount() <= MessagePieces.PIECES_MAX;
    }

    /** Copies the readable bytes, and releases the holder of the buffer. */
    static ByteBuf copy(ByteBufAllocator allocator, Object holder, ByteBuf buffer) {
        int length = buffer.readableBytes();
        if (length == 0) {
            ReferenceCountUtil.release(holder);
            return Unpooled.EMPTY_BUFFER;
        }
        ByteBuf direct = allocator.directBuffer(length);
        direct.writeBytes(buffer, buffer.readerIndex(), length);
        ReferenceCountUtil.safeRelease(holder);
        return direct;
    }

    /** Returns a direct buffer of the size that the handle estimates. */
    static ByteBuf allocate(RecvByteBufAllocator.ExtendedHandle guess, ByteBufAllocator allocator) {
        ByteBuf buffer = guess.allocate(allocator);
        if (buffer.isDirect()) {
            return buffer;
        }
        int capacity = buffer.capacity();
        buffer.release();
        return allocator.directBuffer(capacity);
    }

    static long address(ByteBuf buffer, int index, int length) {
        if (buffer.hasMemoryAddress()) {
            return buffer.memoryAddress() + index;
        }
        ByteBuffer nio = buffer.internalNioBuffer(index, length);
        long address = ChannelSocket.KERNEL.addressOf(nio) + nio.position();
        Reference.reachabilityFence(nio); // the caller keeps the buffer that owns the memory
        return address;
    }
}

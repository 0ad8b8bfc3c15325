package org.cabrank.bench.jmh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What does it cost to read or write an int in memory that is shared with the kernel, such as the head or tail of a ring? The
 * same through a MemorySegment is in {@code SegmentAccessBenchmark}, for a JDK of 22 or later.
 *
 * <p>Traps: several accesses in a loop would be merged into a few wide ones where they are plain, so each operation is a single
 * one. That is less than what JMH needs to call it: {@link #field} is what reading an ordinary field shows, and differences from
 * that are what counts.
 */
@State(Scope.Thread)
public class BufferAccessBenchmark {
    private static final VarHandle STATIC = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());

    private final VarHandle instance = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 12).order(ByteOrder.nativeOrder());

    private int offset = 64;
    private int value = 7;

    @Benchmark
    public int field() {
        return value;
    }

    @Benchmark
    public int getPlain() {
        return buffer.getInt(offset);
    }

    @Benchmark
    public int getAcquire() {
        return (int) STATIC.getAcquire(buffer, offset);
    }

    /** What not to do: the JIT has to take the VarHandle for one that may change, even if it is final. */
    @Benchmark
    public int getAcquireByInstanceVarHandle() {
        return (int) instance.getAcquire(buffer, offset);
    }

    @Benchmark
    public void putPlain() {
        buffer.putInt(offset, value);
    }

    @Benchmark
    public void setRelease() {
        STATIC.setRelease(buffer, offset, value);
    }

    /** With a full fence. */
    @Benchmark
    public void setVolatile() {
        STATIC.setVolatile(buffer, offset, value);
    }
}

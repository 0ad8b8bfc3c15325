package org.cabrank.bench.jmh;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Cost of reading or writing an int in memory that is shared with the kernel, such as the head or tail of a ring.
 * {@code SegmentAccessBenchmark} measures a MemorySegment, on JDK 22 or later.
 *
 * <p>Traps: the JIT would merge several plain accesses in a loop into a few wide ones, so each operation is a single
 * access. An access takes less time than JMH's call of the method: {@link #field}, the read of an ordinary field, shows
 * that overhead, and only differences from it are meaningful.
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

    /** An anti-pattern: the JIT cannot treat a VarHandle in an instance field as constant, even if the field is final. */
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

    /** A store with a full fence. */
    @Benchmark
    public void setVolatile() {
        STATIC.setVolatile(buffer, offset, value);
    }
}

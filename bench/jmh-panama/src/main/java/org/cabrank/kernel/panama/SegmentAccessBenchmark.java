package org.cabrank.kernel.panama;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Cost of accessing a MemorySegment instead of a direct ByteBuffer: the operations of {@code BufferAccessBenchmark}, to see
 * if rings would be faster with it.
 *
 * <p>Traps: as in {@code BufferAccessBenchmark}. The segment lives as long as the JVM and is accessible to every thread,
 * which makes the checks of lifetime and owner unnecessary.
 */
@State(Scope.Thread)
public class SegmentAccessBenchmark {
    private static final VarHandle STATIC = ValueLayout.JAVA_INT.varHandle();

    private final MemorySegment segment = Arena.global().allocate(1 << 12, Integer.BYTES);

    private long offset = 64;
    private int value = 7;

    @Benchmark
    public int field() {
        return value;
    }

    @Benchmark
    public int getPlain() {
        return segment.get(ValueLayout.JAVA_INT, offset);
    }

    @Benchmark
    public int getAcquire() {
        return (int) STATIC.getAcquire(segment, offset);
    }

    @Benchmark
    public void putPlain() {
        segment.set(ValueLayout.JAVA_INT, offset, value);
    }

    @Benchmark
    public void setRelease() {
        STATIC.setRelease(segment, offset, value);
    }
}

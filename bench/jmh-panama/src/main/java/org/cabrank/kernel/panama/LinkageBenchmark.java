package org.cabrank.kernel.panama;

import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import org.cabrank.kernel.panama.generated.LinuxCalls;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * Cost of the linker options of a downcall: with or without a transition of the thread's Java state (critical), with or
 * without capturing errno, and with the shape of seven parameters that all calls of this module share.
 *
 * <p>Every variant calls the same function, getpagesize(2), which makes no system call and cannot fail.
 *
 * <p>Trap: handles that are not static final are some ten times slower, so each variant has a static final handle. A call
 * in a loop is neither dropped nor moved, because the JIT knows nothing about its effects.
 */
@State(Scope.Thread)
public class LinkageBenchmark {
    private static final MethodHandle PLAIN = linkBare();
    private static final MethodHandle CRITICAL = linkBare(Linker.Option.critical(false));
    private static final MethodHandle SHARED_SHAPE = Downcalls.link(LinuxCalls.getpagesize$address());
    private static final MethodHandle CRITICAL_SHARED_SHAPE = Downcalls.linkCritical(LinuxCalls.getpagesize$address());
    private static final MethodHandle ERRNO = linkBare(Linker.Option.captureCallState("errno"));

    private static MethodHandle linkBare(Linker.Option... options) {
        return Linker.nativeLinker()
                .downcallHandle(LinuxCalls.getpagesize$address(), LinuxCalls.getpagesize$descriptor(), options);
    }

    @Benchmark
    public int plain() throws Throwable {
        return (int) PLAIN.invokeExact();
    }

    @Benchmark
    public int plainWithErrno() throws Throwable {
        return (int) ERRNO.invokeExact(ErrnoCapture.segment());
    }

    /** The variant of most calls of {@link PanamaKernel}, which also check the result. */
    @Benchmark
    public long plainWithErrnoInSharedShape() throws Throwable {
        return (int) (long) SHARED_SHAPE.invokeExact(ErrnoCapture.segment(), 0L, 0L, 0L, 0L, 0L, 0L, 0L);
    }

    @Benchmark
    public int critical() throws Throwable {
        return (int) CRITICAL.invokeExact();
    }

    /** The variant of epoll_wait(2) without waiting, and of sched_getcpu(3). */
    @Benchmark
    public long criticalWithErrnoInSharedShape() throws Throwable {
        return (int) (long) CRITICAL_SHARED_SHAPE.invokeExact(ErrnoCapture.segment(), 0L, 0L, 0L, 0L, 0L, 0L, 0L);
    }
}

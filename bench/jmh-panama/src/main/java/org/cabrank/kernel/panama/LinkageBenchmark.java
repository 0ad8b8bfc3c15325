package org.cabrank.kernel.panama;

import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import org.cabrank.kernel.panama.generated.LinuxCalls;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/**
 * What does each thing cost that a downcall may be linked with: to leave the Java state of the thread or not to (critical), to put
 * errno aside or not to, and the shape of six parameters that all calls of this module share?
 *
 * <p>The function is the same each time, one that makes no system call and that cannot fail, getpagesize(2).
 *
 * <p>Trap: handles that are not static final are invoked some ten times slower, so there is one for each variant; and a call in
 * a loop cannot be dropped or moved out of it, because the JIT knows nothing of what it does.
 */
@State(Scope.Thread)
public class LinkageBenchmark {
    private static final MethodHandle PLAIN = linkBare();
    private static final MethodHandle CRITICAL = linkBare(Linker.Option.critical(false));
    private static final MethodHandle SHARED_SHAPE =
            Downcalls.link(LinuxCalls.getpagesize$address(), LinuxCalls.getpagesize$descriptor());
    private static final MethodHandle CRITICAL_SHARED_SHAPE =
            Downcalls.linkCritical(LinuxCalls.getpagesize$address(), LinuxCalls.getpagesize$descriptor());
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

    /** As most calls of {@link PanamaKernel}, which look at the result as well. */
    @Benchmark
    public long plainWithErrnoInSharedShape() throws Throwable {
        return Downcalls.call(SHARED_SHAPE, 0, 0, 0, 0, 0, 0);
    }

    @Benchmark
    public int critical() throws Throwable {
        return (int) CRITICAL.invokeExact();
    }

    /** As epoll_wait(2) without waiting, and sched_getcpu(3). */
    @Benchmark
    public long criticalWithErrnoInSharedShape() throws Throwable {
        return Downcalls.call(CRITICAL_SHARED_SHAPE, 0, 0, 0, 0, 0, 0);
    }
}

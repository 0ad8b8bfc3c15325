package org.cabrank.bench.jmh;

import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.Native;
import io.netty.channel.unix.FileDescriptor;
import java.io.IOException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Cost of a call through JNI, as Netty's epoll transport makes it. Reference for {@link KernelDowncalls}: the price of
 * moving from JNI to another way of calling the kernel.
 *
 * <p>{@link #sizeofEpollEvent} does next to nothing in C, like getpagesize there; {@link #epollCtlMod} makes the same
 * system call as its namesake there. Netty's C code in between is part of the cost of JNI: it fills in the struct, which
 * Cabrank fills in beforehand, and converts an error to an exception.
 */
@State(Scope.Thread)
public class JniDowncallBenchmark {
    private FileDescriptor epoll;
    private FileDescriptor event;
    private int epollFd;
    private int eventFd;
    private int interest;

    @Setup
    public void open() throws IOException {
        Epoll.ensureAvailability();
        epoll = Native.newEpollCreate();
        event = Native.newEventFd();
        epollFd = epoll.intValue();
        eventFd = event.intValue();
        interest = Native.EPOLLIN;
        Native.epollCtlAdd(epollFd, eventFd, interest);
    }

    @TearDown
    public void close() throws IOException {
        event.close();
        epoll.close();
    }

    @Benchmark
    public int sizeofEpollEvent() {
        return Native.sizeofEpollEvent();
    }

    /** Nothing is returned, but a native method is not dropped for that. */
    @Benchmark
    public void epollCtlMod() throws IOException {
        Native.epollCtlMod(epollFd, eventFd, interest);
    }
}

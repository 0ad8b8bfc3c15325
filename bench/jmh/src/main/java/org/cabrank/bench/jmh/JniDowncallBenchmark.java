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
 * What does a call through JNI cost, as Netty's epoll transport makes it? The reference for {@link KernelDowncalls}: who moves
 * from JNI to another way of calling the kernel wants to know what that costs.
 *
 * <p>{@link #sizeofEpollEvent} does in C what getpagesize does there, next to nothing; {@link #epollCtlMod} makes the same system
 * call as its namesake there. Netty's code in C between the two is part of what JNI costs: the struct is filled in there, where
 * Cabrank's is filled in already, and an error becomes an exception.
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

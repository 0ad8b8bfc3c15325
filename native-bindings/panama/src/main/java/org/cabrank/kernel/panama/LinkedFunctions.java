package org.cabrank.kernel.panama;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.List;
import org.cabrank.kernel.CFunction;
import org.cabrank.kernel.panama.generated.LinuxCalls;

/** The functions that jextract has found. The first call of any function links all of them. */
final class LinkedFunctions {
    /** One handle for each {@link CFunction}, in the order of the constants. */
    static final List<MethodHandle> HANDLES = Arrays.stream(CFunction.values())
            .map(function -> Downcalls.link(address(function)))
            .toList();

    private LinkedFunctions() {}

    private static MemorySegment address(CFunction function) {
        return switch (function) {
            case ACCEPT4 -> LinuxCalls.accept4$address();
            case BIND -> LinuxCalls.bind$address();
            case CLOSE -> LinuxCalls.close$address();
            case CONNECT -> LinuxCalls.connect$address();
            case EPOLL_CREATE1 -> LinuxCalls.epoll_create1$address();
            case EPOLL_CTL -> LinuxCalls.epoll_ctl$address();
            case EPOLL_WAIT -> LinuxCalls.epoll_wait$address();
            case EVENTFD -> LinuxCalls.eventfd$address();
            case GETPAGESIZE -> LinuxCalls.getpagesize$address();
            case GETPEERNAME -> LinuxCalls.getpeername$address();
            case GETRLIMIT -> LinuxCalls.getrlimit$address();
            case GETSOCKNAME -> LinuxCalls.getsockname$address();
            case GETSOCKOPT -> LinuxCalls.getsockopt$address();
            case INOTIFY_ADD_WATCH -> LinuxCalls.inotify_add_watch$address();
            case INOTIFY_INIT1 -> LinuxCalls.inotify_init1$address();
            case INOTIFY_RM_WATCH -> LinuxCalls.inotify_rm_watch$address();
            case KILL -> LinuxCalls.kill$address();
            case LISTEN -> LinuxCalls.listen$address();
            case MKFIFO -> LinuxCalls.mkfifo$address();
            case MMAP -> LinuxCalls.mmap$address();
            case MUNMAP -> LinuxCalls.munmap$address();
            case OPEN -> LinuxCalls.open$address();
            case PIPE2 -> LinuxCalls.pipe2$address();
            case PTHREAD_SIGMASK -> Downcalls.threadFunction("pthread_sigmask");
            case READ -> LinuxCalls.read$address();
            case RECV -> LinuxCalls.recv$address();
            case SCHED_GETAFFINITY -> LinuxCalls.sched_getaffinity$address();
            case SCHED_SETAFFINITY -> LinuxCalls.sched_setaffinity$address();
            case SEND -> LinuxCalls.send$address();
            case SENDTO -> LinuxCalls.sendto$address();
            case SETPRIORITY -> LinuxCalls.setpriority$address();
            case SETRLIMIT -> LinuxCalls.setrlimit$address();
            case SETSOCKOPT -> LinuxCalls.setsockopt$address();
            case SHUTDOWN -> LinuxCalls.shutdown$address();
            case SIGNALFD -> LinuxCalls.signalfd$address();
            case SOCKET -> LinuxCalls.socket$address();
            case TIMERFD_CREATE -> LinuxCalls.timerfd_create$address();
            case TIMERFD_SETTIME -> LinuxCalls.timerfd_settime$address();
            case WRITE -> LinuxCalls.write$address();
        };
    }
}

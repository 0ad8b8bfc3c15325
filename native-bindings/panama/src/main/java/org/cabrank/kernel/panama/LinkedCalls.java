package org.cabrank.kernel.panama;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.cabrank.kernel.panama.Downcalls.link;
import static org.cabrank.kernel.panama.Downcalls.linkCritical;

import java.lang.foreign.FunctionDescriptor;
import java.lang.invoke.MethodHandle;
import org.cabrank.kernel.panama.generated.LinuxCalls;

/**
 * The functions that {@link PanamaKernel} calls. Each family stands in a class of its own, so that a process links the
 * families that it uses, when it first does.
 */
final class LinkedCalls {
    private LinkedCalls() {}

    static final class SocketHandles {
        static final MethodHandle SOCKET = link(LinuxCalls.socket$address(), LinuxCalls.socket$descriptor());
        static final MethodHandle BIND = link(LinuxCalls.bind$address(), LinuxCalls.bind$descriptor());
        static final MethodHandle LISTEN = link(LinuxCalls.listen$address(), LinuxCalls.listen$descriptor());
        static final MethodHandle ACCEPT4 = link(LinuxCalls.accept4$address(), LinuxCalls.accept4$descriptor());
        static final MethodHandle CONNECT = link(LinuxCalls.connect$address(), LinuxCalls.connect$descriptor());
        static final MethodHandle RECV = link(LinuxCalls.recv$address(), LinuxCalls.recv$descriptor());
        static final MethodHandle SEND = link(LinuxCalls.send$address(), LinuxCalls.send$descriptor());
        static final MethodHandle RECVFROM = link(LinuxCalls.recvfrom$address(), LinuxCalls.recvfrom$descriptor());
        static final MethodHandle SENDTO = link(LinuxCalls.sendto$address(), LinuxCalls.sendto$descriptor());
        static final MethodHandle SHUTDOWN = link(LinuxCalls.shutdown$address(), LinuxCalls.shutdown$descriptor());
        static final MethodHandle GETSOCKOPT =
                link(LinuxCalls.getsockopt$address(), LinuxCalls.getsockopt$descriptor());
        static final MethodHandle SETSOCKOPT =
                link(LinuxCalls.setsockopt$address(), LinuxCalls.setsockopt$descriptor());
        static final MethodHandle GETSOCKNAME =
                link(LinuxCalls.getsockname$address(), LinuxCalls.getsockname$descriptor());
        static final MethodHandle GETPEERNAME =
                link(LinuxCalls.getpeername$address(), LinuxCalls.getpeername$descriptor());

        private SocketHandles() {}
    }

    static final class FileHandles {
        static final MethodHandle READ = link(LinuxCalls.read$address(), LinuxCalls.read$descriptor());
        static final MethodHandle WRITE = link(LinuxCalls.write$address(), LinuxCalls.write$descriptor());
        static final MethodHandle CLOSE = link(LinuxCalls.close$address(), LinuxCalls.close$descriptor());
        static final MethodHandle OPEN = link(LinuxCalls.open$address(), LinuxCalls.open$descriptor());
        static final MethodHandle MKFIFO = link(LinuxCalls.mkfifo$address(), LinuxCalls.mkfifo$descriptor());
        static final MethodHandle PIPE2 = link(LinuxCalls.pipe2$address(), LinuxCalls.pipe2$descriptor());

        private FileHandles() {}
    }

    static final class EpollHandles {
        static final MethodHandle EPOLL_CREATE1 =
                link(LinuxCalls.epoll_create1$address(), LinuxCalls.epoll_create1$descriptor());
        static final MethodHandle EPOLL_CTL = link(LinuxCalls.epoll_ctl$address(), LinuxCalls.epoll_ctl$descriptor());
        static final MethodHandle EPOLL_WAIT =
                link(LinuxCalls.epoll_wait$address(), LinuxCalls.epoll_wait$descriptor());

        private EpollHandles() {}
    }

    static final class EventHandles {
        private static final FunctionDescriptor PTHREAD_SIGMASK_DESCRIPTOR =
                FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, ADDRESS);

        static final MethodHandle EVENTFD = link(LinuxCalls.eventfd$address(), LinuxCalls.eventfd$descriptor());
        static final MethodHandle TIMERFD_CREATE =
                link(LinuxCalls.timerfd_create$address(), LinuxCalls.timerfd_create$descriptor());
        static final MethodHandle TIMERFD_SETTIME =
                link(LinuxCalls.timerfd_settime$address(), LinuxCalls.timerfd_settime$descriptor());
        static final MethodHandle SIGNALFD = link(LinuxCalls.signalfd$address(), LinuxCalls.signalfd$descriptor());
        static final MethodHandle PTHREAD_SIGMASK =
                link(Downcalls.threadFunction("pthread_sigmask"), PTHREAD_SIGMASK_DESCRIPTOR);
        static final MethodHandle KILL = link(LinuxCalls.kill$address(), LinuxCalls.kill$descriptor());

        private EventHandles() {}
    }

    static final class InotifyHandles {
        static final MethodHandle INOTIFY_INIT1 =
                link(LinuxCalls.inotify_init1$address(), LinuxCalls.inotify_init1$descriptor());
        static final MethodHandle INOTIFY_ADD_WATCH =
                link(LinuxCalls.inotify_add_watch$address(), LinuxCalls.inotify_add_watch$descriptor());
        static final MethodHandle INOTIFY_RM_WATCH =
                link(LinuxCalls.inotify_rm_watch$address(), LinuxCalls.inotify_rm_watch$descriptor());

        private InotifyHandles() {}
    }

    static final class MemoryHandles {
        static final MethodHandle MMAP = link(LinuxCalls.mmap$address(), LinuxCalls.mmap$descriptor());
        static final MethodHandle MUNMAP = link(LinuxCalls.munmap$address(), LinuxCalls.munmap$descriptor());
        static final MethodHandle GETPAGESIZE =
                link(LinuxCalls.getpagesize$address(), LinuxCalls.getpagesize$descriptor());

        private MemoryHandles() {}
    }

    static final class SchedulerHandles {
        static final MethodHandle SCHED_SETAFFINITY =
                link(LinuxCalls.sched_setaffinity$address(), LinuxCalls.sched_setaffinity$descriptor());
        static final MethodHandle SCHED_GETAFFINITY =
                link(LinuxCalls.sched_getaffinity$address(), LinuxCalls.sched_getaffinity$descriptor());

        static final MethodHandle SCHED_GET_PRIORITY_MIN =
                link(LinuxCalls.sched_get_priority_min$address(), LinuxCalls.sched_get_priority_min$descriptor());
        static final MethodHandle SCHED_GET_PRIORITY_MAX =
                link(LinuxCalls.sched_get_priority_max$address(), LinuxCalls.sched_get_priority_max$descriptor());
        static final MethodHandle SETPRIORITY =
                link(LinuxCalls.setpriority$address(), LinuxCalls.setpriority$descriptor());

        private SchedulerHandles() {}
    }

    /** Calls by number. The one function is variadic in C: calls.h says why it is linked like any other. */
    static final class NumberedHandles {
        static final MethodHandle SYSCALL = link(LinuxCalls.syscall$address(), LinuxCalls.syscall$descriptor());

        private NumberedHandles() {}
    }

    static final class ResourceHandles {
        static final MethodHandle GETRLIMIT = link(LinuxCalls.getrlimit$address(), LinuxCalls.getrlimit$descriptor());
        static final MethodHandle SETRLIMIT = link(LinuxCalls.setrlimit$address(), LinuxCalls.setrlimit$descriptor());

        private ResourceHandles() {}
    }

    /** Calls that never block: epoll_wait for {@code epollPoll} only, which asks it not to, and gettid by number. */
    static final class CriticalHandles {
        static final MethodHandle EPOLL_WAIT =
                linkCritical(LinuxCalls.epoll_wait$address(), LinuxCalls.epoll_wait$descriptor());
        static final MethodHandle SCHED_GETCPU =
                linkCritical(LinuxCalls.sched_getcpu$address(), LinuxCalls.sched_getcpu$descriptor());
        static final MethodHandle SYSCALL = linkCritical(LinuxCalls.syscall$address(), LinuxCalls.syscall$descriptor());

        private CriticalHandles() {}
    }
}

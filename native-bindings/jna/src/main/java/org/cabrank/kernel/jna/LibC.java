package org.cabrank.kernel.jna;

import com.sun.jna.Native;

/** Functions of the C library, bound by JNA's direct mapping. Each Java type is as wide as the C type on both ABIs. */
final class LibC {
    static {
        // Null stands for the C library, which is already part of the process.
        Native.register(LibC.class, (String) null);
    }

    private LibC() {}

    static native int socket(int domain, int type, int protocol);

    static native int bind(int fd, long address, int length);

    static native int listen(int fd, int backlog);

    static native int accept4(int fd, long address, long lengthAddress, int flags);

    static native int connect(int fd, long address, int length);

    static native long read(int fd, long buffer, long count);

    static native long write(int fd, long buffer, long count);

    static native long recv(int fd, long buffer, long count, int flags);

    static native long send(int fd, long buffer, long count, int flags);

    static native long sendto(int fd, long buffer, long count, int flags, long address, int length);

    static native int shutdown(int fd, int how);

    static native int close(int fd);

    static native int getsockopt(int fd, int level, int name, long value, long lengthAddress);

    static native int setsockopt(int fd, int level, int name, long value, int length);

    static native int getsockname(int fd, long address, long lengthAddress);

    static native int getpeername(int fd, long address, long lengthAddress);

    static native int epoll_create1(int flags);

    static native int epoll_ctl(int epollFd, int operation, int fd, long event);

    static native int epoll_wait(int epollFd, long events, int maxEvents, int timeoutMs);

    static native int eventfd(int initialValue, int flags);

    static native int timerfd_create(int clockId, int flags);

    static native int timerfd_settime(int fd, int flags, long newValue, long oldValue);

    static native int signalfd(int fd, long mask, int flags);

    static native int pthread_sigmask(int how, long set, long oldSet);

    static native int kill(int pid, int signal);

    static native long mmap(long address, long length, int protection, int flags, int fd, long offset);

    static native int munmap(long address, long length);

    static native int getpagesize();

    static native int sched_setaffinity(int tid, long maskBytes, long mask);

    static native int sched_getaffinity(int tid, long maskBytes, long mask);

    static native int getrlimit(int resource, long limit);

    static native int setrlimit(int resource, long limit);

    static native int setpriority(int which, int who, int nice);

    /** Variadic in C, like {@link #syscall}. */
    static native int open(long path, int flags, int mode);

    static native int mkfifo(long path, int mode);

    static native int pipe2(long descriptors, int flags);

    static native int inotify_init1(int flags);

    static native int inotify_add_watch(int fd, long path, int mask);

    static native int inotify_rm_watch(int fd, int watch);

    /** Variadic in C. On both ABIs, a variadic call without floating-point arguments is like any other call. */
    static native long syscall(long number, long a, long b, long c, long d, long e, long f);
}

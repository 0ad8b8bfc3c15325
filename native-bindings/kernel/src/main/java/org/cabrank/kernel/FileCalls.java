package org.cabrank.kernel;

import org.cabrank.kernel.layout.IoVec;

/** Calls for files and pipes. {@link SocketCalls} has read, write and close for any descriptor. A path is the address of a C string. */
public interface FileCalls extends NativeCalls {

    /** open(2). Returns the descriptor. With {@link FileFlags#O_CREAT}, {@code mode} has the permissions of a new file. */
    default int open(long path, int flags, int mode) {
        return (int) call(CFunction.OPEN, path, flags, mode, 0, 0, 0);
    }

    /** mkfifo(3): makes a named pipe. Fails with {@code EEXIST} if the name exists. */
    default int mkfifo(long path, int mode) {
        return (int) call(CFunction.MKFIFO, path, mode, 0, 0, 0, 0);
    }

    /**
     * pipe2(2): writes two {@code int} to {@code descriptors}: the descriptor to read from, then the descriptor to write to.
     *
     * @param flags {@link FileFlags#O_NONBLOCK} and {@link FileFlags#O_CLOEXEC}, for both descriptors
     */
    default int pipe2(long descriptors, int flags) {
        return (int) call(CFunction.PIPE2, descriptors, flags, 0, 0, 0, 0);
    }

    /**
     * fcntl(2), for commands whose argument and result are an {@code int}.
     *
     * @param command an {@code F_} constant of {@link FileFlags}
     * @return the flags for a {@code F_GET} command, the new descriptor for {@code F_DUPFD_CLOEXEC}, 0 for a {@code F_SET} command
     */
    default int fcntl(int fd, int command, int argument) {
        return (int) call(SystemCall.FCNTL, fd, command, argument, 0, 0, 0);
    }

    /** pread(2). Returns the number of bytes read, perhaps less than {@code count}, or 0 at the end of the file. */
    default int pread(int fd, long buffer, int count, long position) {
        return (int) call(SystemCall.PREAD64, fd, buffer, count, position, 0, 0);
    }

    /**
     * preadv2(2): {@link #pread} into several pieces of memory. With {@link FileFlags#RWF_NOWAIT}, fails with {@code EAGAIN} if the first
     * byte is not in the kernel's cache, and with {@code EOPNOTSUPP} if the file system does not know the flag.
     *
     * @param vector address of {@code count} {@link IoVec}
     * @param flags {@link FileFlags#RWF_NOWAIT}, or 0
     */
    default int preadv2(int fd, long vector, int count, long position, int flags) {
        return (int) call(SystemCall.PREADV2, fd, vector, count, position, 0, flags); // only 32-bit ABIs use the 0
    }

    /** pwrite(2). Returns the number of bytes written, perhaps less than {@code count}. {@code O_APPEND} overrides the position. */
    default int pwrite(int fd, long buffer, int count, long position) {
        return (int) call(SystemCall.PWRITE64, fd, buffer, count, position, 0, 0);
    }

    /** fsync(2): waits until the data and metadata of the file are on the storage device. */
    default int fsync(int fd) {
        return (int) call(SystemCall.FSYNC, fd, 0, 0, 0, 0, 0);
    }

    /** fdatasync(2): like {@link #fsync}, but without metadata that is not needed to read the data again. */
    default int fdatasync(int fd) {
        return (int) call(SystemCall.FDATASYNC, fd, 0, 0, 0, 0, 0);
    }

    /**
     * sendfile(2): the kernel sends bytes of a file to a socket. Blocks while the kernel reads from the disk. Fails with {@code EAGAIN} if
     * a non-blocking socket has no room, and with {@code EINVAL} if the file does not support sendfile. If the call fails with {@code
     * EPIPE}, the kernel also raises SIGPIPE, because the call has no flag that suppresses the signal.
     *
     * @param positionAddress address of a {@code long}, the position in the file. The kernel advances the position
     * @param count maximum number of bytes. The kernel sends at most 2,147,479,552
     * @return number of bytes that the socket has taken, which may be less than {@code count}. 0 at the end of the file
     */
    default int sendfile(int socketFd, int fileFd, long positionAddress, int count) {
        return (int) call(SystemCall.SENDFILE, socketFd, fileFd, positionAddress, count, 0, 0);
    }

    /**
     * ioctl(2). Most requests return 0. Fails with {@code ENOTTY} if the request does not apply to the descriptor.
     *
     * @param request number of the request, for instance {@link Epoll#EPIOCSPARAMS}
     * @param argument address of the memory that the request reads or writes
     */
    default int ioctl(int fd, long request, long argument) {
        return (int) call(SystemCall.IOCTL, fd, request, argument, 0, 0, 0);
    }
}

package org.cabrank.kernel;

import org.cabrank.kernel.layout.IoVec;

/**
 * Files and pipes by descriptor; {@link SocketCalls} reads, writes and closes them. Flags are in {@link FileFlags}; a path is the address
 * of its bytes, which end with a zero.
 */
public interface FileCalls extends NativeCalls {

    /** open(2): the descriptor; {@code mode}: permissions of a file that {@link FileFlags#O_CREAT} makes. */
    default int open(long path, int flags, int mode) {
        return (int) call(CFunction.OPEN, path, flags, mode, 0, 0, 0);
    }

    /** mkfifo(3): makes a named pipe; {@code EEXIST} if the name exists. */
    default int mkfifo(long path, int mode) {
        return (int) call(CFunction.MKFIFO, path, mode, 0, 0, 0, 0);
    }

    /**
     * pipe2(2): writes two {@code int} to {@code descriptors}, the reading end and then the writing end.
     *
     * @param flags {@link FileFlags#O_NONBLOCK} and {@link FileFlags#O_CLOEXEC}, for both ends
     */
    default int pipe2(long descriptors, int flags) {
        return (int) call(CFunction.PIPE2, descriptors, flags, 0, 0, 0, 0);
    }

    /**
     * fcntl(2), for commands whose argument and result are an {@code int}.
     *
     * @param command {@link FileFlags#F_GETFD}, {@link FileFlags#F_SETFD}, {@link FileFlags#F_GETFL}, {@link FileFlags#F_SETFL} or
     *     {@link FileFlags#F_DUPFD_CLOEXEC}
     * @return the flags read, the duplicate, or 0; {@code EBADF} if the descriptor is not open
     */
    default int fcntl(int fd, int command, int argument) {
        return (int) call(SystemCall.FCNTL, fd, command, argument, 0, 0, 0);
    }

    /**
     * pread(2): reads at a position of the file and does not move the descriptor's own. Returns the number of bytes, perhaps fewer than
     * {@code count}, 0 at the end of the file; {@code ESPIPE} for a pipe or a socket.
     */
    default int pread(int fd, long buffer, int count, long position) {
        return (int) call(SystemCall.PREAD64, fd, buffer, count, position, 0, 0);
    }

    /**
     * preadv2(2): as {@link #pread}, into several pieces of memory.
     *
     * @param vector address of {@code count} {@link IoVec}
     * @param flags {@link FileFlags#RWF_NOWAIT}, or 0
     * @return as {@link #pread}; with {@link FileFlags#RWF_NOWAIT} {@code EAGAIN} if the first byte is not in the kernel's cache,
     *     {@code EOPNOTSUPP} if the file system does not know the flag
     */
    default int preadv2(int fd, long vector, int count, long position, int flags) {
        return (int) call(SystemCall.PREADV2, fd, vector, count, position, 0, flags); // 0: of 32 bits only
    }

    /**
     * pwrite(2): writes at a position of the file, or at its end if the file was opened with {@link FileFlags#O_APPEND}. Returns the number
     * of bytes that were taken, perhaps fewer than {@code count}.
     */
    default int pwrite(int fd, long buffer, int count, long position) {
        return (int) call(SystemCall.PWRITE64, fd, buffer, count, position, 0, 0);
    }

    /** fsync(2): waits until the file is on its storage. */
    default int fsync(int fd) {
        return (int) call(SystemCall.FSYNC, fd, 0, 0, 0, 0, 0);
    }

    /** fdatasync(2): as {@link #fsync}, without metadata that is not needed to read the data again. */
    default int fdatasync(int fd) {
        return (int) call(SystemCall.FDATASYNC, fd, 0, 0, 0, 0, 0);
    }

    /**
     * sendfile(2): the kernel sends bytes of a file to a socket. Blocks while it reads from the disk. The signal SIGPIPE accompanies
     * {@code EPIPE}, because the call has no flag against the signal.
     *
     * @param positionAddress address of a {@code long}: the position in the file, which the kernel moves
     * @param count the kernel takes 2,147,479,552 at most
     * @return number of bytes that the socket has taken, perhaps fewer than {@code count}, 0 at the end of the file; {@code EAGAIN} if a
     *     non-blocking socket has no room, {@code EINVAL} if the file cannot be sent in this way
     */
    default int sendfile(int socketFd, int fileFd, long positionAddress, int count) {
        return (int) call(SystemCall.SENDFILE, socketFd, fileFd, positionAddress, count, 0, 0);
    }

    /**
     * ioctl(2): the result of the request, 0 in general; {@code ENOTTY} if the descriptor does not know the request.
     *
     * @param request for instance {@link Epoll#EPIOCSPARAMS}, whose upper half has direction and size
     * @param argument address of the memory that the request reads or writes
     */
    default int ioctl(int fd, long request, long argument) {
        return (int) call(SystemCall.IOCTL, fd, request, argument, 0, 0, 0);
    }
}

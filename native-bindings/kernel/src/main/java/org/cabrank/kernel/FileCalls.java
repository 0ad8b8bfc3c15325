package org.cabrank.kernel;

import org.cabrank.kernel.layout.IoVec;

/**
 * Calls for files and pipes by descriptor; {@link SocketCalls} reads, writes and closes them. Flags are in {@link FileFlags}. A path is the
 * address of its bytes, which end with a zero.
 */
public interface FileCalls extends NativeCalls {

    /** open(2). Returns the descriptor. {@code mode} has the permissions of a file that {@link FileFlags#O_CREAT} makes. */
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
     * @param command {@link FileFlags#F_GETFD}, {@link FileFlags#F_SETFD}, {@link FileFlags#F_GETFL}, {@link FileFlags#F_SETFL} or
     *     {@link FileFlags#F_DUPFD_CLOEXEC}
     * @return the flags read, the duplicate, or 0; {@code EBADF} if the descriptor is not open
     */
    default int fcntl(int fd, int command, int argument) {
        return (int) call(SystemCall.FCNTL, fd, command, argument, 0, 0, 0);
    }

    /**
     * pread(2): reads at {@code position} and does not move the descriptor's own position. Returns the number of bytes, perhaps fewer than
     * {@code count}; 0 at the end of the file. Fails with {@code ESPIPE} for a pipe or a socket.
     */
    default int pread(int fd, long buffer, int count, long position) {
        return (int) call(SystemCall.PREAD64, fd, buffer, count, position, 0, 0);
    }

    /**
     * preadv2(2): like {@link #pread}, but reads into several pieces of memory.
     *
     * @param vector address of {@code count} {@link IoVec}
     * @param flags {@link FileFlags#RWF_NOWAIT}, or 0
     * @return like {@link #pread}. With {@link FileFlags#RWF_NOWAIT}, {@code EAGAIN} if the first byte is not in the kernel's cache, {@code
     *     EOPNOTSUPP} if the file system does not know the flag
     */
    default int preadv2(int fd, long vector, int count, long position, int flags) {
        return (int) call(SystemCall.PREADV2, fd, vector, count, position, 0, flags); // 0 is for 32-bit ABIs
    }

    /**
     * pwrite(2): writes at {@code position}, or at the end of the file if it was opened with {@link FileFlags#O_APPEND}. Returns the number
     * of bytes written, perhaps fewer than {@code count}.
     */
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
     * sendfile(2): the kernel sends bytes of a file to a socket. Blocks while the kernel reads from the disk. If it fails with {@code
     * EPIPE}, the signal SIGPIPE is raised too, because the call has no flag to suppress the signal.
     *
     * @param positionAddress address of a {@code long}: the position in the file, which the kernel moves
     * @param count maximum number of bytes; the kernel sends 2,147,479,552 at most
     * @return number of bytes that the socket has taken, perhaps fewer than {@code count}; 0 at the end of the file; {@code EAGAIN} if a
     *     non-blocking socket has no room; {@code EINVAL} if the file does not support sendfile
     */
    default int sendfile(int socketFd, int fileFd, long positionAddress, int count) {
        return (int) call(SystemCall.SENDFILE, socketFd, fileFd, positionAddress, count, 0, 0);
    }

    /**
     * ioctl(2). Returns the result of the request, in general 0; {@code ENOTTY} if the request does not apply to the descriptor.
     *
     * @param request for instance {@link Epoll#EPIOCSPARAMS}; the upper half has the direction and size of the argument
     * @param argument address of the memory that the request reads or writes
     */
    default int ioctl(int fd, long request, long argument) {
        return (int) call(SystemCall.IOCTL, fd, request, argument, 0, 0, 0);
    }
}

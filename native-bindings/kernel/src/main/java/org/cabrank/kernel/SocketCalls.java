package org.cabrank.kernel;

import org.cabrank.kernel.layout.MMsgHdr;
import org.cabrank.kernel.layout.MsgHdr;

/**
 * Calls for sockets, and calls that read, write and close any descriptor. Constants are in {@link Sockets}. A parameter {@code address} is
 * the address of a {@code struct sockaddr} ({@link SocketAddresses}). Counts are in bytes and must not be negative.
 */
public interface SocketCalls extends NativeCalls {

    /**
     * socket(2). Returns the descriptor. Fails with {@code EMFILE} if the process has none left, {@code ENFILE} if the system has none.
     *
     * @param type a {@code SOCK_} type, or-ed with {@link Sockets#SOCK_NONBLOCK} and {@link Sockets#SOCK_CLOEXEC}
     */
    default int socket(int domain, int type, int protocol) {
        return (int) call(CFunction.SOCKET, domain, type, protocol, 0, 0, 0);
    }

    /** bind(2). Fails with {@code EADDRINUSE}, {@code EADDRNOTAVAIL}, or {@code EACCES} if the process may not use the port. */
    default int bind(int fd, long address, int length) {
        return (int) call(CFunction.BIND, fd, address, length, 0, 0, 0);
    }

    /** listen(2): {@code backlog} connections may wait to be accepted. The kernel lowers the backlog to its own limit. */
    default int listen(int fd, int backlog) {
        return (int) call(CFunction.LISTEN, fd, backlog, 0, 0, 0, 0);
    }

    /**
     * accept4(2). Writes the peer's address to {@code address}. {@code address} and {@code lengthAddress} may both be 0.
     *
     * <p>If the call fails with {@code EMFILE} or {@code ENFILE}, the connection still waits to be accepted. After an error of the
     * connection itself, for instance {@code ECONNABORTED}, the next call accepts the next connection.
     *
     * @param lengthAddress address of a {@code socklen_t}: first the size of the memory at {@code address}, then the length of the address
     * @param flags {@link Sockets#SOCK_NONBLOCK} and {@link Sockets#SOCK_CLOEXEC}, which are not inherited from {@code fd}
     * @return the new descriptor
     */
    default int accept4(int fd, long address, long lengthAddress, int flags) {
        return (int) call(CFunction.ACCEPT4, fd, address, lengthAddress, flags, 0, 0);
    }

    /** connect(2). Fails with {@code EINPROGRESS} if a non-blocking socket is still connecting. Later {@code SO_ERROR} has the outcome. */
    default int connect(int fd, long address, int length) {
        return (int) call(CFunction.CONNECT, fd, address, length, 0, 0, 0);
    }

    /** read(2). Returns the number of bytes, or 0 at the end. Fails with {@code EAGAIN} if a non-blocking descriptor has no bytes. */
    default int read(int fd, long buffer, int count) {
        return (int) call(CFunction.READ, fd, buffer, count, 0, 0, 0);
    }

    /** write(2). Returns the number of bytes taken, perhaps less than {@code count}. If it fails with {@code EPIPE}, raises SIGPIPE. */
    default int write(int fd, long buffer, int count) {
        return (int) call(CFunction.WRITE, fd, buffer, count, 0, 0, 0);
    }

    /** recv(2): {@link #read} with flags of a socket ({@code MSG_}). */
    default int recv(int fd, long buffer, int count, int flags) {
        return (int) call(CFunction.RECV, fd, buffer, count, flags, 0, 0);
    }

    /** send(2): {@link #write} with flags of a socket. With {@link Sockets#MSG_NOSIGNAL} the kernel does not raise SIGPIPE. */
    default int send(int fd, long buffer, int count, int flags) {
        return (int) call(CFunction.SEND, fd, buffer, count, flags, 0, 0);
    }

    /** sendto(2): like {@link #send}, but to the address in the {@code struct sockaddr} at {@code address}. */
    default int sendto(int fd, long buffer, int count, int flags, long address, int length) {
        return (int) call(CFunction.SENDTO, fd, buffer, count, flags, address, length);
    }

    /**
     * sendmsg(2): sends the data and control data of the {@link MsgHdr} at {@code header}. Returns the number of bytes taken. If at least
     * one byte was taken, all descriptors ({@link Sockets#SCM_RIGHTS}) are sent. Fails with {@code ETOOMANYREFS} if too many descriptors of
     * this user are sent but not yet received.
     */
    default int sendmsg(int fd, long header, int flags) {
        return (int) call(SystemCall.SENDMSG, fd, header, flags, 0, 0, 0);
    }

    /**
     * recvmsg(2): receives into the memory of the {@link MsgHdr} at {@code header}, and writes the length of the control data and the flags
     * to this header. Returns the number of bytes, or 0 at the end. {@code flags} may have {@link Sockets#MSG_CMSG_CLOEXEC}.
     */
    default int recvmsg(int fd, long header, int flags) {
        return (int) call(SystemCall.RECVMSG, fd, header, flags, 0, 0, 0);
    }

    /**
     * sendmmsg(2): sends up to {@code count} messages from the array of {@link MMsgHdr} at {@code headers}. For each message, writes the
     * number of bytes sent to the array.
     *
     * @return number of messages that the socket took, at least 1. An error of a later message ends the call, and is not reported
     */
    default int sendmmsg(int fd, long headers, int count, int flags) {
        return (int) call(SystemCall.SENDMMSG, fd, headers, count, flags, 0, 0);
    }

    /**
     * recvmmsg(2) without a timeout: receives up to {@code count} messages into the array of {@link MMsgHdr} at {@code headers}. For each
     * message, writes the number of bytes, the lengths and the flags to the array.
     *
     * @param flags {@link Sockets#MSG_ERRQUEUE} reads from the error queue
     * @return number of messages, at least 1. If an error follows the first message, the next call reports it
     */
    default int recvmmsg(int fd, long headers, int count, int flags) {
        return (int) call(SystemCall.RECVMMSG, fd, headers, count, flags, 0, 0); // 0: no timeout
    }

    /** shutdown(2). {@code how} is {@link Sockets#SHUT_RD}, {@link Sockets#SHUT_WR} or {@link Sockets#SHUT_RDWR}. */
    default int shutdown(int fd, int how) {
        return (int) call(CFunction.SHUTDOWN, fd, how, 0, 0, 0, 0);
    }

    /** close(2). The descriptor is closed even if the call fails, for instance with {@code EINTR}: never close it twice. */
    default int close(int fd) {
        return (int) call(CFunction.CLOSE, fd, 0, 0, 0, 0, 0);
    }

    /** getsockopt(2). At {@code lengthAddress} is the size of the memory. The call replaces it by the length of the option. */
    default int getsockopt(int fd, int level, int name, long value, long lengthAddress) {
        return (int) call(CFunction.GETSOCKOPT, fd, level, name, value, lengthAddress, 0);
    }

    /** setsockopt(2): takes the {@code length} bytes at {@code value}. */
    default int setsockopt(int fd, int level, int name, long value, int length) {
        return (int) call(CFunction.SETSOCKOPT, fd, level, name, value, length, 0);
    }

    /** getsockname(2): writes the local address. {@code lengthAddress} is as in {@link #accept4}. */
    default int getsockname(int fd, long address, long lengthAddress) {
        return (int) call(CFunction.GETSOCKNAME, fd, address, lengthAddress, 0, 0, 0);
    }

    /** getpeername(2): writes the address of the peer. Fails with {@code ENOTCONN} if there is no peer. */
    default int getpeername(int fd, long address, long lengthAddress) {
        return (int) call(CFunction.GETPEERNAME, fd, address, lengthAddress, 0, 0, 0);
    }
}

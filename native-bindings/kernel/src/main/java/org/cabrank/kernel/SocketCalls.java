package org.cabrank.kernel;

import org.cabrank.kernel.layout.MMsgHdr;
import org.cabrank.kernel.layout.MsgHdr;

/**
 * Sockets, and reading and writing any descriptor. Constants are in {@link Sockets}, addresses in {@link SocketAddresses}. A count is in
 * bytes and never negative.
 */
public interface SocketCalls extends NativeCalls {

    /**
     * socket(2): the descriptor; {@code EMFILE} and {@code ENFILE} if none is left.
     *
     * @param type a {@code SOCK_} type, or-ed with {@link Sockets#SOCK_NONBLOCK} and {@link Sockets#SOCK_CLOEXEC}
     */
    default int socket(int domain, int type, int protocol) {
        return (int) call(CFunction.SOCKET, domain, type, protocol, 0, 0, 0);
    }

    /**
     * bind(2), to the {@code struct sockaddr} of {@code length} bytes at {@code address}: 0; {@code EADDRINUSE}, {@code EACCES} for a port
     * that is not permitted, {@code EADDRNOTAVAIL}.
     */
    default int bind(int fd, long address, int length) {
        return (int) call(CFunction.BIND, fd, address, length, 0, 0, 0);
    }

    /** listen(2): {@code backlog} connections may wait to be accepted; the kernel lowers it to its own limit. */
    default int listen(int fd, int backlog) {
        return (int) call(CFunction.LISTEN, fd, backlog, 0, 0, 0, 0);
    }

    /**
     * accept(2). {@code address} and {@code lengthAddress} may both be 0 if the peer's address is not wanted; otherwise
     * {@code lengthAddress} is the address of a {@code socklen_t}: room before, length after.
     *
     * @param flags {@link Sockets#SOCK_NONBLOCK} and {@link Sockets#SOCK_CLOEXEC}: nothing is inherited
     * @return the new descriptor; {@code EMFILE} and {@code ENFILE} leave the connection waiting; after an error of the connection itself,
     *     {@code ECONNABORTED} for instance, the next one may be fine
     */
    default int accept4(int fd, long address, long lengthAddress, int flags) {
        return (int) call(CFunction.ACCEPT4, fd, address, lengthAddress, flags, 0, 0);
    }

    /** connect(2): 0, or {@code EINPROGRESS} on a non-blocking socket, whose {@code SO_ERROR} then has the outcome. */
    default int connect(int fd, long address, int length) {
        return (int) call(CFunction.CONNECT, fd, address, length, 0, 0, 0);
    }

    /** read(2): number of bytes read, 0 at the end; {@code EAGAIN} if a non-blocking descriptor has none. */
    default int read(int fd, long buffer, int count) {
        return (int) call(CFunction.READ, fd, buffer, count, 0, 0, 0);
    }

    /** write(2): number of bytes taken, perhaps fewer than {@code count}. To a broken pipe it also raises SIGPIPE. */
    default int write(int fd, long buffer, int count) {
        return (int) call(CFunction.WRITE, fd, buffer, count, 0, 0, 0);
    }

    /** recv(2): {@link #read} with flags of a socket ({@code MSG_}). */
    default int recv(int fd, long buffer, int count, int flags) {
        return (int) call(CFunction.RECV, fd, buffer, count, flags, 0, 0);
    }

    /** send(2): {@link #write} with flags of a socket; {@link Sockets#MSG_NOSIGNAL} leaves it at {@code EPIPE}. */
    default int send(int fd, long buffer, int count, int flags) {
        return (int) call(CFunction.SEND, fd, buffer, count, flags, 0, 0);
    }

    /** sendto(2): as {@link #send}, to the {@code struct sockaddr} at {@code address}. */
    default int sendto(int fd, long buffer, int count, int flags, long address, int length) {
        return (int) call(CFunction.SENDTO, fd, buffer, count, flags, address, length);
    }

    /**
     * sendmsg(2): sends what the {@link MsgHdr} at {@code header} describes, control data included.
     *
     * @return number of bytes taken; with {@link Sockets#SCM_RIGHTS}, any byte that was taken carries all descriptors; {@code ETOOMANYREFS}
     *     if too many of this user's descriptors are under way
     */
    default int sendmsg(int fd, long header, int flags) {
        return (int) call(SystemCall.SENDMSG, fd, header, flags, 0, 0, 0);
    }

    /**
     * recvmsg(2): receives into the memory that the {@link MsgHdr} at {@code header} describes, and writes its length of control data and
     * flags. Returns the number of bytes, 0 at the end. {@code flags}: {@link Sockets#MSG_CMSG_CLOEXEC} for descriptors.
     */
    default int recvmsg(int fd, long header, int flags) {
        return (int) call(SystemCall.RECVMSG, fd, header, flags, 0, 0, 0);
    }

    /**
     * sendmmsg(2): sends up to {@code count} messages of the array of {@link MMsgHdr} at {@code headers}, and writes each one's number of
     * bytes.
     *
     * @return number of messages that the socket took, at least 1; an error of a later message ends the call, and is not reported
     */
    default int sendmmsg(int fd, long headers, int count, int flags) {
        return (int) call(SystemCall.SENDMMSG, fd, headers, count, flags, 0, 0);
    }

    /**
     * recvmmsg(2) without a timeout: receives up to {@code count} messages into the array of {@link MMsgHdr} at {@code headers}, and writes
     * number of bytes, lengths and flags of each.
     *
     * @param flags {@link Sockets#MSG_ERRQUEUE} for the error queue
     * @return number of messages, at least 1; an error after the first message is reported by the next call
     */
    default int recvmmsg(int fd, long headers, int count, int flags) {
        return (int) call(SystemCall.RECVMMSG, fd, headers, count, flags, 0, 0); // 0: no timeout
    }

    /** shutdown(2), with one of {@link Sockets#SHUT_RD}, {@link Sockets#SHUT_WR} and {@link Sockets#SHUT_RDWR}. */
    default int shutdown(int fd, int how) {
        return (int) call(CFunction.SHUTDOWN, fd, how, 0, 0, 0, 0);
    }

    /** Closes the descriptor. It is gone whatever the result, {@code EINTR} included: never close it twice. */
    default int close(int fd) {
        return (int) call(CFunction.CLOSE, fd, 0, 0, 0, 0, 0);
    }

    /** getsockopt(2): {@code lengthAddress} points to a {@code socklen_t}, room before and length after. */
    default int getsockopt(int fd, int level, int name, long value, long lengthAddress) {
        return (int) call(CFunction.GETSOCKOPT, fd, level, name, value, lengthAddress, 0);
    }

    /** setsockopt(2): takes the {@code length} bytes at {@code value}. */
    default int setsockopt(int fd, int level, int name, long value, int length) {
        return (int) call(CFunction.SETSOCKOPT, fd, level, name, value, length, 0);
    }

    /** getsockname(2): the local address; {@code lengthAddress} as in {@link #accept4}. */
    default int getsockname(int fd, long address, long lengthAddress) {
        return (int) call(CFunction.GETSOCKNAME, fd, address, lengthAddress, 0, 0, 0);
    }

    /** getpeername(2): the address of the peer; {@code ENOTCONN} if there is none. */
    default int getpeername(int fd, long address, long lengthAddress) {
        return (int) call(CFunction.GETPEERNAME, fd, address, lengthAddress, 0, 0, 0);
    }
}

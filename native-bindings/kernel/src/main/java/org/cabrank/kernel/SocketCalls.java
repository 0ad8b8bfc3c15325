package org.cabrank.kernel;

/** Sockets, and reading and writing any descriptor. See socket(2), accept(2), send(2), recv(2). */
public interface SocketCalls {

    int socket(int domain, int type, int protocol);

    /** Binds to the {@code struct sockaddr} of {@code length} bytes at {@code address}. */
    int bind(int fd, long address, int length);

    int listen(int fd, int backlog);

    /**
     * Accepts a connection. {@code address} and {@code lengthAddress} may both be 0 when the peer's address is not
     * wanted; else {@code lengthAddress} points to a {@code socklen_t} that goes in as room and comes back as used.
     */
    int accept4(int fd, long address, long lengthAddress, int flags);

    int connect(int fd, long address, int length);

    int read(int fd, long buffer, int count);

    int write(int fd, long buffer, int count);

    int recv(int fd, long buffer, int count, int flags);

    int send(int fd, long buffer, int count, int flags);

    int recvfrom(int fd, long buffer, int count, int flags, long address, long lengthAddress);

    int sendto(int fd, long buffer, int count, int flags, long address, int length);

    int shutdown(int fd, int how);

    /** Closes the descriptor. It is gone whatever the result, {@code EINTR} included: never close it twice. */
    int close(int fd);

    int getsockopt(int fd, int level, int name, long value, long lengthAddress);

    int setsockopt(int fd, int level, int name, long value, int length);

    int getsockname(int fd, long address, long lengthAddress);

    int getpeername(int fd, long address, long lengthAddress);
}

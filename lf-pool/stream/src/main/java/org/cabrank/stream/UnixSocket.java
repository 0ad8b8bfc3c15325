package org.cabrank.stream;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Calls that only a connection of a Unix socket has ({@link Connection#unixSocket}). On a TCP connection each throws {@link
 * UnsupportedOperationException}. Calls that pass or take descriptors also throw it with TLS, or if {@code descriptorsMax} is 0.
 *
 * <p>Any thread may make a call that does not require a callback. Only Cabrank implements this interface; releases may add methods to it.
 */
public interface UnixSocket {
    /** Asks the kernel for the peer's credentials, by 2 or 3 system calls. Throws if the kernel refuses, or the connection is closed. */
    PeerCredentials peerCredentials() throws IOException;

    /**
     * Opens a pidfd of the process at the other end ({@code SO_PEERPIDFD}, Linux 6.5, pidfd_open(2)), which the caller closes. Throws, with
     * a remedy, if the kernel is too old, the process is gone, this process may have no more descriptors, or the connection is closed.
     */
    int peerPidfd() throws IOException;

    /**
     * Writes {@code data} as {@link Connection#write(ByteBuffer)} does, and passes descriptors of this process to the peer ({@code
     * SCM_RIGHTS}, unix(7)). The descriptors are sent with the first byte of {@code data}, in order with all other writes. This method
     * duplicates the descriptors, so the caller may close them at once.
     *
     * @param data at least one byte. If this method throws, no byte is consumed
     * @param descriptors from 1 to {@code descriptorsMax}
     * @throws WriteQueueFullException as {@link Connection#write(ByteBuffer)}, or if more than {@code descriptorsMax} descriptors would
     *     wait. Then {@link ConnectionHandler#writable} is called when the queue is empty
     * @throws IOException if a descriptor is not open (EBADF), or this process may have no more (EMFILE)
     * @throws IllegalArgumentException if there is no byte, no descriptor, or more than {@code descriptorsMax} descriptors
     */
    void writeDescriptors(ByteBuffer data, int... descriptors) throws IOException;

    /**
     * Takes and returns the oldest received descriptor. Returns -1 if there is none. The descriptor has close-on-exec set. The caller owns
     * it, and closes it ({@code Kernels.system().close(descriptor)}). Call this method in a callback.
     *
     * <p>When {@link ConnectionHandler#data} gets the first byte of a write, all descriptors of that write have been received. The kernel
     * does not show the end of a write, so the protocol must define the number of descriptors of a message. Descriptors that no callback
     * takes are closed when the connection ends and counted ({@link StreamCounters#descriptorsDropped}).
     */
    int takeDescriptor();

    /** Number of received descriptors that were not taken. Too many end the connection with a {@link DescriptorLimitException}. */
    int receivedDescriptors();
}

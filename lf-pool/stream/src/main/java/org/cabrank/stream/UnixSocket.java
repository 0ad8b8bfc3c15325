package org.cabrank.stream;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Calls that only a connection of a Unix socket has ({@link Connection#unixSocket}).
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface UnixSocket {
    /**
     * Asks the kernel for the credentials of the process at the other end of a Unix socket. Any thread; two system calls, or three for
     * a process with more than 32 groups.
     *
     * @throws IOException if the kernel refuses, or if the connection is closed
     * @throws UnsupportedOperationException for a connection that is not one of a Unix socket
     */
    PeerCredentials peerCredentials() throws IOException;

    /**
     * Opens a pidfd of the process at the other end of a Unix socket ({@code SO_PEERPIDFD}, Linux 6.5, pidfd_open(2)), which names that
     * process even when its number is given out again. Any thread.
     *
     * @return a new descriptor with close-on-exec, which the caller closes
     * @throws IOException if the kernel refuses, with cause and remedy: the kernel is too old, the process is gone, or this process may
     *     have no more descriptors; or if the connection is closed
     * @throws UnsupportedOperationException for a connection that is not one of a Unix socket
     */
    int peerPidfd() throws IOException;

    /**
     * As {@link Connection#write(ByteBuffer)}, and passes descriptors of this process to the peer ({@code SCM_RIGHTS}, unix(7)): they go with the
     * first byte of {@code data}, in order with all other writes. The kernel makes descriptors in the peer's process that refer to the
     * same open files. For a connection of a Unix socket whose options have {@code descriptorsMax} ({@link
     * ListenOptions#withDescriptorsMax}, {@link ConnectOptions#withDescriptorsMax}). Any thread.
     *
     * <p>The descriptors are duplicated before this method returns: they stay the caller's, who may close them at once. The duplicates
     * are closed when the kernel has taken them, or when the connection ends before that.
     *
     * @param data at least one byte; consumed as by {@link Connection#write(ByteBuffer)}
     * @param descriptors from 1 to {@code descriptorsMax}
     * @throws WriteQueueFullException as {@link Connection#write(ByteBuffer)}, and if more than {@code descriptorsMax} descriptors would wait to be
     *     sent: then {@link ConnectionHandler#writable} is called when nothing is queued any more. Nothing was consumed
     * @throws IOException if a descriptor is not open (EBADF), or this process may have no more (EMFILE); nothing was consumed
     * @throws IllegalArgumentException for no byte, no descriptor or more than {@code descriptorsMax}
     * @throws UnsupportedOperationException for a connection that passes no descriptors, and through TLS
     */
    void writeDescriptors(ByteBuffer data, int... descriptors) throws IOException;

    /**
     * Takes the oldest received descriptor that was not taken: it belongs to the caller, who closes it ({@code
     * Kernels.system().close(descriptor)}) or gives it away, for instance to {@link StreamReactor#listen(int, ListenOptions,
     * java.util.function.Supplier)}. Any thread; meant for callbacks.
     *
     * <p>When {@link ConnectionHandler#data} is given the first byte of a write, the descriptors of that write have been received; they
     * stand behind those of earlier writes. The kernel does not tell where one write ends, so the protocol says how many descriptors
     * belong to a message. Descriptors that nobody takes are closed when the connection ends, before {@link ConnectionHandler#closed},
     * and counted ({@link StreamCounters#descriptorsDropped}). Received descriptors have close-on-exec set.
     *
     * @return -1 if there is none
     * @throws UnsupportedOperationException for a connection that passes no descriptors, and through TLS
     */
    int takeDescriptor();

    /**
     * Number of received descriptors that were not taken. Any thread. More than twice {@code descriptorsMax}, and more than {@code
     * descriptorsMax} with one write of the peer, end the connection with a {@link DescriptorLimitException}.
     *
     * @throws UnsupportedOperationException for a connection that passes no descriptors, and through TLS
     */
    int receivedDescriptors();
}

package org.cabrank.stream;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Calls that only a connection of a Unix socket has ({@link Connection#unixSocket}). Any thread. Each call throws {@link
 * UnsupportedOperationException} on another connection. Calls that pass or take descriptors also throw it through TLS, and if {@code
 * descriptorsMax} of the connection is 0 ({@link ListenOptions#withDescriptorsMax}, {@link ConnectOptions#withDescriptorsMax}).
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
public interface UnixSocket {
    /** Asks the kernel for the peer's credentials, by 2 or 3 system calls. Throws if the kernel refuses, or the connection is closed. */
    PeerCredentials peerCredentials() throws IOException;

    /**
     * Opens a pidfd of the process at the other end ({@code SO_PEERPIDFD}, Linux 6.5, pidfd_open(2)), which refers to that process even
     * after its number is reused: a new descriptor with close-on-exec, which the caller closes. Throws, with cause and remedy, if the
     * kernel is too old, the process is gone, or this process may have no more descriptors; also if the connection is closed.
     */
    int peerPidfd() throws IOException;

    /**
     * As {@link Connection#write(ByteBuffer)}, and passes descriptors of this process to the peer ({@code SCM_RIGHTS}, unix(7)): they go
     * with the first byte of {@code data}, in order with all other writes. The peer's descriptors refer to the same open files.
     *
     * <p>The descriptors are duplicated before this method returns: they stay the caller's, who may close them at once. The duplicates are
     * closed when the kernel has taken them, or when the connection ends before that.
     *
     * @param data at least one byte; consumed as by {@link Connection#write(ByteBuffer)}, but not if this method throws
     * @param descriptors from 1 to {@code descriptorsMax}
     * @throws WriteQueueFullException as {@link Connection#write(ByteBuffer)}, and if more than {@code descriptorsMax} descriptors would
     *     wait to be sent: then {@link ConnectionHandler#writable} is called when nothing is queued any more
     * @throws IOException if a descriptor is not open (EBADF), or this process may have no more (EMFILE)
     * @throws IllegalArgumentException for no byte, no descriptor or more than {@code descriptorsMax}
     */
    void writeDescriptors(ByteBuffer data, int... descriptors) throws IOException;

    /**
     * Takes the oldest received descriptor; returns -1 if there is none. The descriptor has close-on-exec set and belongs to the caller,
     * who closes it ({@code Kernels.system().close(descriptor)}) or gives it away, for instance to {@link StreamReactor#listen(int,
     * ListenOptions, java.util.function.Supplier)}. Meant for callbacks.
     *
     * <p>When {@link ConnectionHandler#data} is given the first byte of a write, the descriptors of that write have been received; they
     * stand behind those of earlier writes. The kernel does not tell where one write ends, so the protocol says how many descriptors belong
     * to a message. Descriptors that no callback takes are closed when the connection ends, before {@link ConnectionHandler#closed}, and
     * counted ({@link StreamCounters#descriptorsDropped}).
     */
    int takeDescriptor();

    /**
     * Number of received descriptors that were not taken. More than twice {@code descriptorsMax}, or more than {@code descriptorsMax} with
     * one write of the peer, end the connection with a {@link DescriptorLimitException}.
     */
    int receivedDescriptors();
}

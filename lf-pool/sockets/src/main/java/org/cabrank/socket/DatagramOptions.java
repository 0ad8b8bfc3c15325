package org.cabrank.socket;

import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Set;
import org.cabrank.lf.observe.LatencyHistogram;
import org.cabrank.lf.settings.Settings;
import org.cabrank.stream.SocketOptions;

/**
 * Options of a {@link UdpSocket}. Immutable.
 *
 * @param socketOptions options that are set before the socket is bound. The bind fails for an option that is not for datagram sockets or
 *     that the kernel refuses. A refused option that only affects speed (SO_BUSY_POLL, SO_PREFER_BUSY_POLL, SO_BUSY_POLL_BUDGET,
 *     SO_INCOMING_CPU, SO_PRIORITY) is logged and left out instead
 * @param sharedAddress true lets several sockets bind to one address if all of them set this option ({@code SO_REUSEADDR}): each socket
 *     gets every multicast datagram; unicast datagrams go only to the socket that was bound last
 * @param sharedPort true lets several sockets of one user bind to one address ({@code SO_REUSEPORT}): the kernel spreads datagrams over
 *     them by a hash of both addresses
 * @param multicastInterface interface that multicast datagrams leave by; null: the kernel chooses by the route
 * @param peer address that the socket is connected to (connect(2)): only datagrams of this peer are received, and
 *     {@link UdpSocket#send(java.nio.ByteBuffer)} sends to this peer; null: not connected
 * @param ordered true calls the handler for one datagram after the other, in the order of arrival; while a call waits for a
 *     {@link org.cabrank.lf.Reply}, later datagrams are handled in order. False calls the handler on up to all threads of the pool at once
 * @param batch maximum number of datagrams that one system call receives and one call of {@link DatagramHandler#batch} handles, from 1
 *     (default) to 1,024. With several threads and {@code ordered} false, a slow datagram delays those behind it in its batch
 * @param bytesMax maximum number of bytes kept of a datagram, from 1 to {@link UdpSocket#BYTES_MAX} (default, which cuts none off); a
 *     longer datagram is {@link Datagram#isTruncated truncated}. Each receiving thread has a batch with this number of bytes for each
 *     datagram. Sockets of one set share batches of the same shape
 * @param details details that the kernel gives with each datagram; default: none
 * @param ages histogram of the time from {@link DatagramDetail#RECEIVE_TIME} (implied) to the handler's call; null: none
 * @param errors true makes the kernel queue network errors about sent datagrams ({@code IP_RECVERR}) for {@link DatagramHandler#error};
 *     false (default): a connected socket only counts errors, any other socket gets none
 * @param steering rule by which the kernel chooses among the sockets of {@code sharedPort}; null: a hash of both addresses
 * @param sendTimes true makes the kernel report the time at which each datagram went to the device ({@code SO_TIMESTAMPING}, software) to
 *     {@link DatagramHandler#sent}
 * @param queue limits of a queue of datagrams for which the socket or the network device has no room (EAGAIN, ENOBUFS). Queued datagrams
 *     are sent in order, before later datagrams. {@link DatagramHandler#writable} follows a refusal; null (default): drops them
 */
public record DatagramOptions(
        SocketOptions socketOptions,
        boolean sharedAddress,
        boolean sharedPort,
        NetworkInterface multicastInterface,
        InetSocketAddress peer,
        boolean ordered,
        int batch,
        int bytesMax,
        Set<DatagramDetail> details,
        LatencyHistogram ages,
        boolean errors,
        DatagramSteering steering,
        boolean sendTimes,
        DatagramQueueLimits queue) {
    /** Named bound: datagrams of a batch, the kernel's limit for one recvmmsg(2). */
    public static final int BATCH_MAX = 1_024;

    /** No socket options, address not shared, not connected, batches of one datagram on several threads at once, no details. */
    public static final DatagramOptions DEFAULT = new DatagramOptions(
            SocketOptions.NONE,
            false,
            false,
            null,
            null,
            false,
            1,
            UdpSocket.BYTES_MAX,
            Set.of(),
            null,
            false,
            null,
            false,
            null);

    public DatagramOptions {
        Objects.requireNonNull(socketOptions, "socketOptions");
        if (peer != null && peer.isUnresolved()) {
            throw new IllegalArgumentException("unresolved address: " + peer);
        }
        if (batch < 1 || batch > BATCH_MAX) {
            throw new IllegalArgumentException("batch must be from 1 to " + BATCH_MAX + ", but is " + batch);
        }
        if (bytesMax < 1 || bytesMax > UdpSocket.BYTES_MAX) {
            throw new IllegalArgumentException(
                    "bytesMax must be from 1 to " + UdpSocket.BYTES_MAX + ", but is " + bytesMax);
        }
        if (steering != null && !sharedPort) {
            throw new IllegalArgumentException("steering is for sockets that share a port: set sharedPort");
        }
        Set<DatagramDetail> all = EnumSet.noneOf(DatagramDetail.class);
        all.addAll(details);
        if (ages != null) {
            all.add(DatagramDetail.RECEIVE_TIME);
        }
        if (all.contains(DatagramDetail.SEGMENTS) && bytesMax != UdpSocket.BYTES_MAX) {
            throw new IllegalArgumentException("SEGMENTS needs bytesMax of " + UdpSocket.BYTES_MAX + ", but it is "
                    + bytesMax + ": the kernel joins datagrams up to that");
        }
        details = Set.copyOf(all);
    }

    /** @param destinations true if the kernel reports the destination of each datagram */
    DatagramShape shape(boolean destinations) {
        return new DatagramShape(batch, bytesMax, details.isEmpty() && !destinations ? 0 : ReceivedDetails.ROOM_BYTES);
    }

    public DatagramOptions withSocketOptions(SocketOptions changed) {
        return Settings.with(this, "socketOptions", changed);
    }

    public DatagramOptions withSharedAddress(boolean changed) {
        return Settings.with(this, "sharedAddress", changed);
    }

    public DatagramOptions withSharedPort(boolean changed) {
        return Settings.with(this, "sharedPort", changed);
    }

    public DatagramOptions withMulticastInterface(NetworkInterface changed) {
        return Settings.with(this, "multicastInterface", changed);
    }

    public DatagramOptions withPeer(InetSocketAddress changed) {
        return Settings.with(this, "peer", changed);
    }

    public DatagramOptions withOrdered(boolean changed) {
        return Settings.with(this, "ordered", changed);
    }

    public DatagramOptions withBatch(int changed) {
        return Settings.with(this, "batch", changed);
    }

    public DatagramOptions withBytesMax(int changed) {
        return Settings.with(this, "bytesMax", changed);
    }

    /** Asks for these details, and for nothing else. */
    public DatagramOptions withDetails(DatagramDetail... changed) {
        return Settings.with(this, "details", Set.of(changed));
    }

    public DatagramOptions withAges(LatencyHistogram changed) {
        return Settings.with(this, "ages", changed);
    }

    public DatagramOptions withErrors(boolean changed) {
        return Settings.with(this, "errors", changed);
    }

    public DatagramOptions withSteering(DatagramSteering changed) {
        return Settings.with(this, "steering", changed);
    }

    public DatagramOptions withSendTimes(boolean changed) {
        return Settings.with(this, "sendTimes", changed);
    }

    /** Makes datagrams wait for room; null: drops them. */
    public DatagramOptions withQueue(DatagramQueueLimits changed) {
        return Settings.with(this, "queue", changed);
    }
}

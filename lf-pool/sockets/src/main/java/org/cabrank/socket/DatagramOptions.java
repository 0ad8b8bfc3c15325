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
 * @param socketOptions options that are set before the bind. If the kernel refuses an option that only affects speed (SO_BUSY_POLL,
 *     SO_PREFER_BUSY_POLL, SO_BUSY_POLL_BUDGET, SO_INCOMING_CPU, SO_PRIORITY), the refusal is logged. Any other refusal fails the bind
 * @param sharedAddress true lets several sockets bind to one address if all of them set this option ({@code SO_REUSEADDR}). Each socket
 *     gets every multicast datagram. Unicast datagrams go only to the socket that was bound last
 * @param sharedPort true lets several sockets of one user bind to one address ({@code SO_REUSEPORT}). Each flow goes to one socket
 * @param multicastInterface interface that multicast datagrams leave by. If null, the kernel chooses by the route
 * @param peer address that the socket is connected to (connect(2)). The socket receives only datagrams of this peer, and
 *     {@link UdpSocket#send(java.nio.ByteBuffer)} sends to this peer. If null, the socket is not connected
 * @param ordered true calls the handler for one datagram after the other, in the order of arrival. While a call waits for a
 *     {@link org.cabrank.lf.Reply}, the handler is called for later datagrams. False calls it on several threads of the pool at once
 * @param batch maximum number of datagrams that one system call receives and one call of {@link DatagramHandler#batch} handles, from 1 to
 *     1,024. The default is 1. With several threads and {@code ordered} false, a slow datagram delays the later datagrams of its batch
 * @param bytesMax maximum number of bytes kept of a datagram, from 1 to {@link UdpSocket#BYTES_MAX}, the default. A longer datagram is
 *     {@link Datagram#isTruncated truncated}. Each receiving thread has a batch with this number of bytes for each datagram
 * @param details details that the kernel gives with each datagram. The default is none
 * @param ages histogram of the time from {@link DatagramDetail#RECEIVE_TIME}, which it turns on, to the handler's call; null: none
 * @param errors true makes the kernel queue network errors about sent datagrams ({@code IP_RECVERR}) for {@link DatagramHandler#error}. The
 *     default is false: a connected socket only counts the errors, and any other socket gets none
 * @param steering rule by which the kernel chooses among the sockets of {@code sharedPort}. If null, it hashes both addresses
 * @param sendTimes true reports to {@link DatagramHandler#sent} when each datagram went to the device ({@code SO_TIMESTAMPING})
 * @param queue limits of a queue for datagrams that find no room (EAGAIN, ENOBUFS). They are sent in order, before later datagrams. If the
 *     queue refuses a datagram, {@link DatagramHandler#writable} is called later. The default is null: a datagram without room is dropped
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
    /** Maximum number of datagrams of a batch, which is the kernel's limit for one recvmmsg(2). */
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

    /** Asks for these details only. */
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

    public DatagramOptions withQueue(DatagramQueueLimits changed) {
        return Settings.with(this, "queue", changed);
    }
}

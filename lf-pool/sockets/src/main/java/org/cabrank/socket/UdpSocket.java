package org.cabrank.socket;

import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Sockets;
import org.cabrank.lf.Timers;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.calls.DatagramInput;
import org.cabrank.socket.calls.EncodedOptions;
import org.cabrank.socket.calls.MulticastGroups;
import org.cabrank.socket.calls.SocketOps;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.transport.OptionPlace;

/**
 * A UDP socket (udp(7)) whose datagrams are handled by as many threads at once as the pool has.
 *
 * <p>The handle of the socket is concurrent, because each recvfrom(2) takes a different datagram. A slow handler therefore delays no other
 * datagram. With {@link DatagramOptions#ordered} one thread at a time handles the datagrams, in the order of arrival.
 *
 * <p>The socket gets no datagrams of groups that only other sockets of the host have joined, unless {@code IP_MULTICAST_ALL} is set. Any
 * thread may call the methods.
 */
public final class UdpSocket implements AutoCloseable {
    /** Maximum number of bytes of a datagram. IPv4 carries at most 65,507 and IPv6 at most 65,527 bytes, so no datagram is ever cut off. */
    public static final int BYTES_MAX = 1 << 16;

    /** Maximum number of threads that send at a time. Each has a buffer of {@link #BYTES_MAX}. Further threads wait. */
    static final int SENDERS_MAX = 16;

    private static final long DRAIN_LOOK_NS = 1_000_000;

    private final DescriptorSet set;
    private final int fd;
    private final InetSocketAddress localAddress;
    private final DatagramOptions options;
    private final Set<DatagramDetail> details;
    private final boolean repliesFromDestination;
    private final DescriptorHandle handle;
    private final SocketOps sockets;
    private final DescriptorGuard use = new DescriptorGuard();
    private final DatagramSender sender;

    private final DatagramReceiver receiver;
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile long droppedBeforeClose;

    private volatile boolean draining;

    private UdpSocket(DescriptorSet set, int fd, DatagramOpening opening, DatagramHandler handler) {
        this.set = set;
        this.fd = fd;
        this.localAddress = opening.localAddress();
        this.details = opening.details();
        this.repliesFromDestination = opening.repliesFromDestination();
        this.options = opening.options();
        this.sockets = new SocketOps(set.kernel());
        this.sender = new DatagramSender(this, set, fd, use);
        this.receiver = new DatagramReceiver(this, set, fd, handler, sender);
        this.handle = set.newDatagramHandle(
                fd, options.bytesMax(), options.errors() || options.sendTimes(), receiver, !options.ordered());
    }

    /**
     * Opens a socket that receives at {@code address}; port 0 chooses a free port.
     *
     * @throws IOException if the address is unavailable, or the process has reached its limit of descriptors. The message names the cause
     *     and the remedy. {@code getCause} is a {@link org.cabrank.kernel.KernelException} with the errno
     */
    public static UdpSocket bind(DescriptorSet set, InetSocketAddress address, DatagramHandler handler)
            throws IOException {
        return bind(set, address, DatagramOptions.DEFAULT, handler);
    }

    /**
     * As {@link #bind(DescriptorSet, InetSocketAddress, DatagramHandler)}, with options. If the kernel refuses details, errors,
     * send times or an option that only affects speed, or if net.core.rmem_max or wmem_max makes a buffer smaller, this is only logged.
     *
     * @param address address to receive at; port 0 chooses a free port
     * @throws IOException also if the kernel refuses the peer or any other option. The message names the cause and the remedy
     * @throws IllegalArgumentException for an option that is not for datagram sockets
     */
    public static UdpSocket bind(
            DescriptorSet set, InetSocketAddress address, DatagramOptions options, DatagramHandler handler)
            throws IOException {
        Objects.requireNonNull(handler, "handler");
        DatagramOpening opening = new DatagramOpening(set.kernel(), address, options);
        int fd = opening.open();
        try {
            UdpSocket socket = new UdpSocket(set, fd, opening, handler);
            set.add(socket.handle, 0, Handle.NO_DEADLINE);
            return socket;
        } catch (Throwable refused) {
            set.closeQuietly(fd);
            throw refused;
        }
    }

    /** Local address. If port 0 was requested, it has the port that the kernel has chosen. */
    public InetSocketAddress localAddress() {
        return localAddress;
    }

    public DescriptorHandle handle() {
        return handle;
    }

    /** Returns the counters; makes one system call. */
    public DatagramCounters counters() {
        return new DatagramCounters(
                receiver.received(),
                sender.sent(),
                sender.unsent(),
                sender.reported().sum(),
                receiver.failed(),
                receiver.truncated(),
                dropped());
    }

    private long dropped() {
        long stamp = use.begin();
        if (stamp == DescriptorGuard.CLOSED) {
            return droppedBeforeClose;
        }
        try {
            return draining ? droppedBeforeClose : sockets.drops(fd);
        } finally {
            use.end(stamp);
        }
    }

    /** Returns the state of the {@link DatagramOptions#queue}. */
    public DatagramQueueState queue() {
        DatagramBacklog backlog = sender.backlog();
        return backlog == null ? DatagramQueueState.NONE : backlog.state();
    }

    /** Details that the kernel gives with each datagram: the requested details without the refused ones. */
    public Set<DatagramDetail> details() {
        return details;
    }

    boolean repliesFromDestination() {
        return repliesFromDestination;
    }

    DatagramOptions options() {
        return options;
    }

    /**
     * Sends the remaining bytes of {@code data}, which are consumed even if the send fails. May wait some microseconds.
     *
     * @return false if neither the kernel nor the {@link DatagramOptions#queue} has accepted the datagram, or the socket is closed
     * @throws IllegalArgumentException if {@code data} has more than {@link #BYTES_MAX} bytes, or the address is unresolved
     */
    public boolean send(InetSocketAddress to, ByteBuffer data) {
        return sender.send(Objects.requireNonNull(to, "to"), data, null, null);
    }

    /**
     * As {@link #send(InetSocketAddress, ByteBuffer)}, but the datagram leaves from {@code source} through {@code via} (IP_PKTINFO,
     * IPV6_PKTINFO). Returns false if the kernel cannot send from there. {@link Datagram#reply} needs no source.
     *
     * @param to destination. Null stands for the peer of a connected socket
     * @param source address of this host. If null, the kernel chooses it
     * @param via interface. If null, the route to the destination determines it
     * @throws IllegalArgumentException also if {@code source} is of another address family than the destination
     * @throws IllegalStateException if {@code to} is null and the socket is not connected
     */
    public boolean send(InetSocketAddress to, ByteBuffer data, InetAddress source, NetworkInterface via) {
        Objects.requireNonNull(data, "data");
        return sender.send(to, data, source, via);
    }

    /**
     * As {@link #send(InetSocketAddress, ByteBuffer)}, to the peer of a connected socket ({@link DatagramOptions#peer}).
     *
     * @throws IllegalStateException if the socket is not connected
     */
    public boolean send(ByteBuffer data) {
        return send(null, data, null, null);
    }

    /** Makes a batch of {@code count} datagrams (1 to 1,024) of up to {@code bytes} bytes (0 to {@link #BYTES_MAX}). */
    public OutgoingBatch newBatch(int count, int bytes) {
        if (count < 1 || count > DatagramOptions.BATCH_MAX || bytes < 0 || bytes > BYTES_MAX) {
            throw new IllegalArgumentException("a batch has 1 to " + DatagramOptions.BATCH_MAX + " datagrams of 0 to "
                    + BYTES_MAX + " bytes, not " + count + " of " + bytes);
        }
        return new OutgoingBatch(set.kernel(), sender, count, bytes);
    }

    /**
     * Sends the remaining bytes of {@code data} as datagrams of {@code segmentBytes} bytes. The last may be shorter. One system call sends
     * up to 64 of them ({@code UDP_SEGMENT}, Linux 4.18), if kernel and route allow it. See {@link #send(InetSocketAddress, ByteBuffer)}.
     *
     * @param to destination. Null stands for the peer of a connected socket
     * @param segmentBytes bytes of each datagram, from 1 to 65,000. A datagram with headers should not be longer than the path MTU
     * @return number of datagrams that the kernel has accepted
     * @throws IllegalArgumentException also for a {@code segmentBytes} out of range
     * @throws IllegalStateException if {@code to} is null and the socket is not connected
     */
    public int sendSegments(InetSocketAddress to, ByteBuffer data, int segmentBytes) {
        return sender.sendSegments(to, data, segmentBytes, null, null);
    }

    /** As {@link #sendSegments(InetSocketAddress, ByteBuffer, int)}, but from {@code source} through {@code via}, unless null. */
    public int sendSegments(
            InetSocketAddress to, ByteBuffer data, int segmentBytes, InetAddress source, NetworkInterface via) {
        return sender.sendSegments(to, data, segmentBytes, source, via);
    }

    /**
     * Joins a multicast group. The socket then receives the datagrams to the group and its own port. It must be bound to the wildcard
     * address or to the group. {@link DatagramOptions#sharedAddress} lets other sockets join at the same port.
     *
     * @param group IPv4 or IPv6 group. An IPv6 socket can join both kinds, unless {@code IPV6_V6ONLY} is set
     * @param via interface on which the group is joined. If null, the kernel chooses it by the route to the group
     * @throws IllegalArgumentException if {@code group} is not a multicast address
     * @throws IOException if the socket is closed, or if the kernel refuses: already a member, no such interface, too many memberships
     *     (net.ipv4.igmp_max_memberships, net.core.optmem_max)
     */
    public GroupMembership join(InetAddress group, NetworkInterface via) throws IOException {
        return joinFrom(group, via, null);
    }

    /**
     * Joins a multicast group for the datagrams of one source (SSM, RFC 4607). May be called for several sources of one group. If the
     * socket is already a member for any source, that membership is narrowed to {@code source}, and its close then ends the membership for
     * all sources. See also {@link #join(InetAddress, NetworkInterface)}.
     *
     * @throws IOException also if the group has too many sources (net.ipv4.igmp_max_msf, net.ipv6.mld_max_msf)
     */
    public GroupMembership join(InetAddress group, NetworkInterface via, InetAddress source) throws IOException {
        return joinFrom(group, via, Objects.requireNonNull(source, "source"));
    }

    private GroupMembership joinFrom(InetAddress group, NetworkInterface via, InetAddress source) throws IOException {
        if (!group.isMulticastAddress()) {
            throw new IllegalArgumentException(
                    group + " is not a multicast address: IPv4 groups begin with 224 to 239," + " IPv6 groups with ff");
        }
        long stamp = beginUse();
        try {
            MulticastGroups.join(sockets, fd, group, via, source);
        } finally {
            use.end(stamp);
        }
        return new GroupMembership(this, group, via, source);
    }

    /** Ends a membership, which the kernel may have ended already, for example because the interface is gone. */
    void leave(GroupMembership membership) {
        long stamp = use.begin();
        if (stamp == DescriptorGuard.CLOSED) {
            return; // the socket has been closed, which ends all memberships
        }
        int result;
        try {
            result = MulticastGroups.leave(
                    sockets, fd, membership.group(), membership.networkInterface(), membership.source());
        } finally {
            use.end(stamp);
        }
        if (result < 0 && result != -Errno.EADDRNOTAVAIL && result != -Errno.ENODEV) {
            set.failures()
                    .logKind(
                            "group not left: " + Errno.name(-result),
                            () -> "leaving " + membership + " failed, it ends with the socket",
                            Errno.exception("setsockopt", result));
        }
    }

    /**
     * Sets an option of the open socket.
     *
     * @throws IllegalArgumentException for an option that is not for datagram sockets
     * @throws IOException if the socket is closed, or if the kernel refuses. The message names the cause and the remedy
     */
    public <T> void option(SocketOption<T> option, T value) throws IOException {
        Objects.requireNonNull(option, "option");
        option.requireFit(localAddress, OptionPlace.DATAGRAM);
        long stamp = beginUse();
        try {
            EncodedOptions.set(sockets, fd, option, value);
        } finally {
            use.end(stamp);
        }
    }

    /**
     * Returns the kernel's value of an option. SO_RCVBUF and SO_SNDBUF are twice the granted number of bytes.
     *
     * @throws IOException if the kernel does not know the option for this socket, or if the socket is closed
     */
    public <T> T option(SocketOption<T> option) throws IOException {
        Objects.requireNonNull(option, "option");
        long stamp = beginUse();
        try {
            return EncodedOptions.get(sockets, fd, option);
        } finally {
            use.end(stamp);
        }
    }

    /**
     * Returns the present path MTU to the peer of a connected socket, in bytes including the IP header. A router may reduce it.
     *
     * @throws IllegalStateException if the socket is not connected, because it then has a path for each destination
     * @throws IOException if there is no route to the peer, or if the socket is closed
     */
    public int pathMtu() throws IOException {
        if (options.peer() == null) {
            throw new IllegalStateException(this + " is not connected: name a peer in its options");
        }
        boolean ipv6 = options.peer().getAddress() instanceof Inet6Address;
        long stamp = beginUse();
        try {
            return ipv6
                    ? sockets.intOption(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_MTU, "IPV6_MTU")
                    : sockets.intOption(fd, Sockets.IPPROTO_IP, Sockets.IP_MTU, "IP_MTU");
        } finally {
            use.end(stamp);
        }
    }

    private long beginUse() throws IOException {
        long stamp = use.begin();
        if (stamp == DescriptorGuard.CLOSED) {
            throw new ClosedChannelException();
        }
        return stamp;
    }

    /**
     * Drops arriving datagrams, waits until the handler has taken the datagrams received before, and closes the socket. Sends are possible
     * until the close. If the kernel refuses the filter that drops them, a sender that does not stop keeps the socket open until
     * {@code limit} has passed. Must not be called inside a handler of the pool, because it may wait for the handler.
     *
     * @param limit maximum time to wait, from 0
     * @return false if datagrams were left or a handler had not returned after {@code limit}. The socket is closed even then
     */
    public boolean drain(Duration limit) throws InterruptedException {
        long endNs = System.nanoTime() + Timers.delayNs(limit);
        try {
            boolean taken = !beginDrain()
                    || isReached(() -> receiveBufferUsed() == 0, endNs)
                            && isReached(this::reactorHasNone, endNs)
                            && isReached(() -> !receiver.hasUndelivered(), endNs);
            close();
            return released.await(Math.max(0, endNs - System.nanoTime()), TimeUnit.NANOSECONDS) && taken;
        } finally {
            close();
        }
    }

    private static boolean isReached(BooleanSupplier goal, long endNs) throws InterruptedException {
        while (!goal.getAsBoolean()) {
            if (System.nanoTime() - endNs >= 0) {
                return false;
            }
            TimeUnit.NANOSECONDS.sleep(DRAIN_LOOK_NS);
        }
        return true;
    }

    /** True if the handler has received all datagrams that the reactor has received by itself. */
    private boolean reactorHasNone() {
        DatagramInput input = handle.input();
        if (input == null || !input.isActive() || input.isDrained() || handle.isClosed()) {
            return true;
        }
        input.drain();
        handle.post(Ready.READ);
        return false;
    }

    private boolean beginDrain() {
        long stamp = use.begin();
        if (stamp == DescriptorGuard.CLOSED) {
            return false;
        }
        try {
            if (!draining) {
                droppedBeforeClose = sockets.drops(fd);
                draining = sockets.dropArriving(fd) >= 0;
            }
            return true;
        } finally {
            use.end(stamp);
        }
    }

    private long receiveBufferUsed() {
        long stamp = use.begin();
        if (stamp == DescriptorGuard.CLOSED) {
            return 0;
        }
        try {
            return sockets.receiveBufferUsed(fd);
        } finally {
            use.end(stamp);
        }
    }

    /** Sends waiting datagrams ({@link DatagramQueueLimits#closeTimeout}), then closes when no thread is inside the handler. */
    @Override
    public void close() {
        DatagramBacklog backlog = sender.backlog();
        if (backlog == null || !backlog.beginClose()) {
            handle.close();
        }
    }

    DatagramSender sender() {
        return sender;
    }

    static void requireFits(int count) {
        if (count > BYTES_MAX) {
            throw new IllegalArgumentException("a datagram has at most " + BYTES_MAX + " bytes, this has " + count);
        }
    }

    void deliverEach(DatagramBatch batch) {
        receiver.deliverEach(batch);
    }

    void release() {
        if (sender.backlog() != null) {
            sender.backlog().close();
        }
        use.release(() -> {
            if (!draining) {
                droppedBeforeClose = sockets.drops(fd);
            }
            set.closeDatagrams(handle);
        });
        released.countDown();
    }

    @Override
    public String toString() {
        return "datagram socket " + localAddress;
    }
}

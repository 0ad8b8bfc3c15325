package org.cabrank.stream;

import java.util.Objects;
import org.cabrank.lf.settings.Settings;

/**
 * Options of one listener ({@link StreamReactor#listen}), which hold for the connections that it accepts. Made from {@link #DEFAULT} by the
 * methods {@code with...}, and not by the constructor, which gets a parameter with each new option.
 *
 * @param backlog connections that the kernel holds until they are accepted, at least 1; the kernel lowers it to net.core.somaxconn
 * @param acceptMode the way in which several shards share the address
 * @param timeouts time limits of the accepted connections; null: those of the reactor
 * @param connectionsMax connections of this listener that may stand at a time, in all shards together, at least 1, or {@link #UNLIMITED}. A
 *     further one is accepted and reset at once, without a call of the handler supplier, and counted ({@link StreamCounters#overLimit})
 * @param connectionsPerPeerMax likewise for the connections from one peer address, whatever the port. An IPv4 address inside an IPv6 one
 *     counts as the IPv4 address; each IPv6 address counts for itself. Peers at Unix addresses are bounded by {@code connectionsMax} alone.
 *     All connections of a proxy have one address; the PROXY protocol has a limit for each client
 * @param acceptRate rate at which the listener accepts; while it allows no connection, accepting pauses ({@link
 *     ListenerCounters#ratePauses}). A drain and {@link Listener#close} accept at once what the kernel has completed
 * @param socketOptions set on the listening socket before it is bound; accepted TCP sockets inherit most of them ({@link SocketOption})
 * @param acceptedOptions options of accepted sockets. Those that accepted sockets inherit are set on the listener, once, unless {@code
 *     socketOptions} has the same option; each further option costs a system call for each connection. A connection whose option the kernel
 *     refuses is closed and counted ({@link ListenerCounters#refused}). {@code listen} tries named options, and so throws in general
 * @param descriptorsMax descriptors that one write may carry, in either direction, and that may wait to be sent ({@link
 *     UnixSocket#writeDescriptors}); twice as many may be received and not taken. From 0 to {@link #DESCRIPTORS_MAX}; 0: none are passed,
 *     and the kernel closes descriptors that a peer sends. For Unix addresses only: such a connection uses sendmsg(2) and recvmsg(2)
 *     instead of send(2) and recv(2), and some native memory of its own
 */
public record ListenOptions(
        int backlog,
        AcceptMode acceptMode,
        StreamTimeouts timeouts,
        int connectionsMax,
        int connectionsPerPeerMax,
        AcceptRate acceptRate,
        SocketOptions socketOptions,
        SocketOptions acceptedOptions,
        int descriptorsMax) {
    /** Maximum number of descriptors that the kernel passes with one write ({@code SCM_MAX_FD}). */
    public static final int DESCRIPTORS_MAX = 253;

    /** No limit except the limit of open files. */
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /** A backlog of 4,096, {@link AcceptMode#EXCLUSIVE}, time limits of the reactor, no limit of connections or rate, no options. */
    public static final ListenOptions DEFAULT = new ListenOptions(
            4096,
            AcceptMode.EXCLUSIVE,
            null,
            UNLIMITED,
            UNLIMITED,
            AcceptRate.UNLIMITED,
            SocketOptions.NONE,
            SocketOptions.NONE,
            0);

    public ListenOptions {
        Objects.requireNonNull(acceptMode, "acceptMode");
        Objects.requireNonNull(acceptRate, "acceptRate");
        Objects.requireNonNull(socketOptions, "socketOptions");
        Objects.requireNonNull(acceptedOptions, "acceptedOptions");
        require(backlog, "backlog");
        require(connectionsMax, "connectionsMax");
        require(connectionsPerPeerMax, "connectionsPerPeerMax");
        requireDescriptors(descriptorsMax);
    }

    static void requireDescriptors(int count) {
        if (count < 0 || count > DESCRIPTORS_MAX) {
            throw new IllegalArgumentException(
                    "descriptorsMax must be from 0 to " + DESCRIPTORS_MAX + ", the kernel's limit, but is " + count);
        }
    }

    private static void require(int value, String name) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
        }
    }

    public ListenOptions withBacklog(int connections) {
        return Settings.with(this, "backlog", connections);
    }

    public ListenOptions withAcceptMode(AcceptMode mode) {
        return Settings.with(this, "acceptMode", mode);
    }

    public ListenOptions withTimeouts(StreamTimeouts changed) {
        return Settings.with(this, "timeouts", changed);
    }

    public ListenOptions withConnectionsMax(int count) {
        return Settings.with(this, "connectionsMax", count);
    }

    public ListenOptions withConnectionsPerPeerMax(int count) {
        return Settings.with(this, "connectionsPerPeerMax", count);
    }

    public ListenOptions withAcceptRate(AcceptRate rate) {
        return Settings.with(this, "acceptRate", rate);
    }

    public ListenOptions withSocketOptions(SocketOptions changed) {
        return Settings.with(this, "socketOptions", changed);
    }

    public ListenOptions withAcceptedOptions(SocketOptions changed) {
        return Settings.with(this, "acceptedOptions", changed);
    }

    public ListenOptions withDescriptorsMax(int count) {
        return Settings.with(this, "descriptorsMax", count);
    }
}

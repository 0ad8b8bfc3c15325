package org.cabrank.stream;

import java.util.Objects;
import org.cabrank.lf.settings.Settings;

/**
 * Options of one listener ({@link StreamReactor#listen}) and of the connections that it accepts. Make them from {@link #DEFAULT} with the
 * methods {@code with...}, because the constructor gets a parameter with each new option.
 *
 * @param backlog number of connections that the kernel holds until they are accepted, at least 1; limited to net.core.somaxconn
 * @param acceptMode the way in which several shards share the address
 * @param timeouts time limits of the accepted connections. With null, the time limits of the reactor apply
 * @param connectionsMax maximum number of open connections of this listener in all shards together, at least 1, or {@link #UNLIMITED}. A
 *     further connection is reset at once, and counted ({@link StreamCounters#overLimit})
 * @param connectionsPerPeerMax maximum number of open connections from one peer address, otherwise like {@code connectionsMax}. An
 *     IPv4-mapped IPv6 address counts as the IPv4 address. Without effect on Unix addresses. All clients of a proxy have one address
 * @param acceptRate maximum rate of accepts ({@link ListenerCounters#ratePauses}). A drain and {@link Listener#close} ignore it
 * @param socketOptions options set on the listening socket before it is bound. Accepted TCP sockets inherit most ({@link SocketOption})
 * @param acceptedOptions options of accepted sockets. An option that is not inherited, or that {@code socketOptions} also has, costs a
 *     system call for each connection. If the kernel refuses it, the connection is closed and counted ({@link ListenerCounters#refused}).
 *     {@code listen} tries the options that have a name, and usually throws if one of them is wrong
 * @param descriptorsMax maximum number of descriptors, up to {@link #DESCRIPTORS_MAX}, that one write may carry in either direction, and
 *     that may wait to be sent ({@link UnixSocket#writeDescriptors}). Twice as many may be received and not taken. With 0, the kernel
 *     closes descriptors that a peer sends. Only for Unix addresses
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

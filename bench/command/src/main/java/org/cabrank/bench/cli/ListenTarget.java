package org.cabrank.bench.cli;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Collectors;
import org.cabrank.bench.text.HostPort;
import org.cabrank.handover.HandedListener;
import org.cabrank.handover.Predecessor;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.StreamServer;
import org.cabrank.systemd.Systemd;

/** The address to listen on, or null for sockets of systemd. If {@code socketName} is null, all sockets of systemd are used. */
record ListenTarget(HostPort address, String socketName) {
    private static final String SYSTEMD = "systemd";
    private static final String SYSTEMD_NAME = SYSTEMD + ":";

    /** Reads {@code HOST:PORT}, {@code systemd} or {@code systemd:NAME}. */
    static ListenTarget parse(String text) {
        if (text.equals(SYSTEMD)) {
            return new ListenTarget(null, null);
        }
        if (!text.startsWith(SYSTEMD_NAME)) {
            return new ListenTarget(HostPort.parse(text), null);
        }
        String name = text.substring(SYSTEMD_NAME.length());
        if (name.isEmpty()) {
            throw new IllegalArgumentException(
                    "'" + text + "': the name of the socket is missing; leave the colon out for all sockets");
        }
        if (name.matches("[0-9]+")) {
            throw new IllegalArgumentException("'" + text + "' names a socket of systemd; for a port of a host of the"
                    + " name systemd give its address");
        }
        return new ListenTarget(null, name);
    }

    void configure(StreamServer.Builder server) throws IOException {
        if (address != null) {
            server.listen(address.resolve());
        } else if (socketName == null) {
            server.listen(Systemd.current().descriptors());
        } else {
            server.listen(Systemd.current().descriptors(socketName));
        }
    }

    /** Takes the sockets of the server that is replaced. Fails if that server does not listen at this address. */
    void configure(StreamServer.Builder server, Predecessor old, AcceptMode accept) throws IOException {
        List<HandedListener> here = old.listeners().stream()
                .filter(listener -> isAt(listener.address()))
                .toList();
        if (here.isEmpty()) {
            String elsewhere =
                    old.listeners().stream().map(HandedListener::address).collect(Collectors.joining(" and "));
            throw new IOException("the server that is to be replaced listens on " + elsewhere + ", not on " + address
                    + "; listen there, or end that server first");
        }
        here.forEach(listener -> server.listen(old.takeDescriptors(listener)));
        // REUSEPORT and REUSEPORT_CPU would open a socket in each shard. Here all shards accept from all sockets of the
        // old server.
        server.accept(
                accept == AcceptMode.REUSEPORT || accept == AcceptMode.REUSEPORT_CPU ? AcceptMode.EXCLUSIVE : accept);
    }

    private boolean isAt(String listening) {
        if (address == null) {
            return false;
        }
        try {
            InetSocketAddress wanted = address.resolve();
            String text = HostPort.format(wanted);
            return wanted.getPort() == 0
                    ? listening.startsWith(text.substring(0, text.length() - 1))
                    : listening.equals(text);
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    boolean isPassed() {
        return address == null;
    }

    /** Formats an Internet address so that {@link #parse} can read it. Formats a Unix address as its path or name. */
    static String format(SocketAddress listening) {
        return listening instanceof InetSocketAddress inet ? HostPort.format(inet) : listening.toString();
    }
}

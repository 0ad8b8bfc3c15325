package org.cabrank.bench.cli;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.serve.MetricsServer;
import org.cabrank.bench.text.HostPort;
import org.cabrank.handover.HandedListener;
import org.cabrank.handover.Handover;
import org.cabrank.handover.Predecessor;
import org.cabrank.handover.Successors;
import org.cabrank.stream.Listener;
import org.cabrank.stream.StreamServer;

/** Handover of the listening sockets from the replaced server, and to the next one. Null {@code path}: no handover. */
record ServeHandover(Path path, Predecessor predecessor) {
    private static final System.Logger LOGGER = System.getLogger(ServeHandover.class.getName());

    /** Asks the server at {@code path} for its sockets. Refuses sockets of systemd. */
    static ServeHandover at(Path path, ListenTarget listen) throws IOException {
        if (path != null && listen.isPassed()) {
            throw new IllegalArgumentException(
                    "--handover is for sockets of this server, and systemd keeps its own: leave --handover out");
        }
        return new ServeHandover(path, path == null ? null : Handover.at(path).predecessor());
    }

    /** Lets the former server continue, because this server did not start. */
    void abandon() {
        if (predecessor != null) {
            predecessor.close();
        }
    }

    int[] formerSockets(InetSocketAddress address) {
        List<HandedListener> former = predecessor == null ? List.of() : predecessor.listeners();
        return former.stream()
                .filter(listener -> listener.address().equals(HostPort.format(address)))
                .findFirst()
                .map(listener -> predecessor.takeDescriptors(listener))
                .orElse(new int[0]);
    }

    /** Makes the former server, which has handed over its listening sockets, drain. */
    void replacePredecessor() {
        if (predecessor == null) {
            return;
        }
        try {
            LOGGER.log(
                    Level.INFO,
                    predecessor.replace()
                            ? "the former server drains"
                            : "the former server has ended before it was asked to drain");
        } catch (IOException refused) {
            LOGGER.log(
                    Level.WARNING,
                    refused.getMessage()
                            + "; this server and the former one accept connections until that one is ended");
        }
    }

    /** Offers the listening sockets to the next server, which makes this server run {@code replaced}. Returns null without a handover. */
    Successors offer(StreamServer server, MetricsServer metrics, Runnable replaced) {
        if (path == null) {
            return null;
        }
        try {
            List<Listener> listeners = new ArrayList<>(server.listeners());
            if (metrics != null) {
                listeners.add(metrics.listener());
            }
            return Handover.at(path).offer(listeners, replaced);
        } catch (IOException refused) {
            LOGGER.log(
                    Level.WARNING,
                    refused.getMessage() + "; this server serves, but can only be replaced after its end");
            return null;
        }
    }
}

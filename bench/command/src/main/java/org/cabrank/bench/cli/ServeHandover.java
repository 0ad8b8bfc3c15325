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

/** Takes the listening sockets from the former server, and later gives them to the next server. {@code path} is null without a handover. */
record ServeHandover(Path path, Predecessor predecessor) {
    private static final System.Logger LOGGER = System.getLogger(ServeHandover.class.getName());

    /** Asks the server at {@code path} for its sockets. Fails if {@code listen} names sockets of systemd. */
    static ServeHandover at(Path path, ListenTarget listen) throws IOException {
        if (path != null && listen.isPassed()) {
            throw new IllegalArgumentException(
                    "--handover is for sockets of this server, and systemd keeps its own: leave --handover out");
        }
        return new ServeHandover(path, path == null ? null : Handover.at(path).predecessor());
    }

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

    /** Makes the former server drain. It has already handed over its listening sockets. */
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

    /** Offers the listening sockets to the next server. Runs {@code replaced} when it is ready. Returns null without a handover. */
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

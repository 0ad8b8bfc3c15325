package org.cabrank.stream.transport;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.cabrank.stream.Connection;

/** Lists and closes the connections of shards. */
public final class StandingConnections {
    private StandingConnections() {}

    /** Returns each connection once, as the object that its service uses. */
    public static List<Connection> of(List<? extends StreamShard> shards) {
        return undecorated(shards).stream().map(StandingConnections::ofService).toList();
    }

    /** Reads several shards twice, because a connection may move to a shard that was already read. */
    private static Collection<Connection> undecorated(List<? extends StreamShard> shards) {
        if (shards.size() == 1) {
            return shards.get(0).connections();
        }
        Set<Connection> found = new LinkedHashSet<>();
        shards.forEach(shard -> found.addAll(shard.connections()));
        shards.forEach(shard -> found.addAll(shard.connections()));
        return found;
    }

    private static Connection ofService(Connection connection) {
        return connection instanceof StreamConnection stream ? stream.decorated() : connection;
    }

    /** Returns the connections of one listener, which all have the terms of the listener. */
    public static List<Connection> of(List<? extends StreamShard> shards, ConnectionTerms terms) {
        List<Connection> found = new ArrayList<>();
        for (Connection connection : undecorated(shards)) {
            if (connection instanceof StreamConnection stream && stream.terms() == terms) {
                found.add(stream.decorated());
            }
        }
        return List.copyOf(found);
    }

    public static int close(Collection<Connection> connections, Predicate<? super Connection> which) {
        Objects.requireNonNull(which, "which");
        int closed = 0;
        for (Connection connection : connections) {
            if (which.test(connection)) {
                connection.close();
                closed++;
            }
        }
        return closed;
    }
}

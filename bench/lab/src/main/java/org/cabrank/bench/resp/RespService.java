package org.cabrank.bench.resp;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.resp.Resp;
import org.cabrank.stream.ConnectionHandler;

/** A store and its clients: what the connections of a server share. Any thread. */
public final class RespService {
    private final KeyValueStore store;
    private final Map<Long, RespSession> sessions = new ConcurrentHashMap<>();
    private final LongAdder accepted = new LongAdder();
    private final long startNs = System.nanoTime();

    public RespService(KeyValueStore store) {
        this.store = store;
    }

    /** A service with a store that may take half of the heap. */
    public static RespService ofHalfTheHeap() {
        return new RespService(new KeyValueStore(halfTheHeap()));
    }

    /** Default limit of the store's memory in bytes. */
    public static long halfTheHeap() {
        return Runtime.getRuntime().maxMemory() / 2;
    }

    /** Returns the supplier of a server's handlers. */
    public Supplier<ConnectionHandler> handlers(HandlerWork work) {
        return Resp.server().handlers(() -> new RespSession(this, work));
    }

    KeyValueStore store() {
        return store;
    }

    void add(RespSession session) {
        sessions.put(session.id(), session);
        accepted.increment();
    }

    void remove(RespSession session) {
        sessions.remove(session.id(), session);
    }

    /** Connections that stand, the oldest first. */
    List<RespSession> sessions() {
        return sessions.values().stream()
                .sorted(Comparator.comparingLong(RespSession::id))
                .toList();
    }

    int connected() {
        return sessions.size();
    }

    /** Number of connections since the start. */
    long accepted() {
        return accepted.sum();
    }

    long uptimeNs() {
        return System.nanoTime() - startNs;
    }
}

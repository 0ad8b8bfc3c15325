package org.cabrank.stream;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.cabrank.stream.transport.StreamBackend;

/** One way of serving streams, found by {@link java.util.ServiceLoader}. */
public interface BackendProvider {

    /** The name that {@link Backend#named} takes. */
    String name();

    /** Purpose of the backend: a clause without a period, for help texts. */
    default String description() {
        return "the backend " + name();
    }

    /** {@link Backend#auto} tries the lowest rank first, of those that have no {@link #disadvantage}. */
    int rank();

    /**
     * Reason why another backend is better for {@code settings}, with the name of this backend; null: none. {@link Backend#auto}
     * tries the other backends first, and this backend if none of them works. Any thread; nothing is opened.
     */
    default String disadvantage(StreamSettings settings) {
        return null;
    }

    /**
     * Makes a backend of {@code settings.shards()} shards.
     *
     * @throws BackendUnavailableException when this kernel or this process does not allow it, with reason and remedy
     */
    StreamBackend open(StreamSettings settings) throws IOException;

    /** The providers on the class path or module path, by rank. */
    static List<BackendProvider> installed() {
        return ServiceLoader.load(BackendProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparingInt(BackendProvider::rank))
                .toList();
    }
}

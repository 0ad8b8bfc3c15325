package org.cabrank.stream;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamSettings;

/**
 * A backend that serves streams, found by {@link java.util.ServiceLoader} or passed to {@link Backend#of}. The settings and the opened
 * backend are types for Cabrank's own modules.
 *
 * <p>Only Cabrank implements this interface; releases may add methods to it.
 */
@SuppressWarnings("exports") // the reactor calls the methods with those types
public interface BackendProvider {

    /** The name that {@link Backend#named} takes. */
    String name();

    /** Purpose of the backend: a clause without a period, for help texts. */
    default String description() {
        return "the backend " + name();
    }

    /** {@link Backend#auto} tries the lowest rank first. */
    int rank();

    /** Returns the reason, with remedy, why no machine lets this backend serve {@code settings}; null, the default: it can. Any thread. */
    default String refusal(StreamSettings settings) {
        return null;
    }

    /** Returns the reason why {@link Backend#auto} prefers another backend for settings that this one serves; default null, none. */
    default String reservation(StreamSettings settings) {
        return null;
    }

    /** Makes a backend. Throws {@link BackendUnavailableException}, with reason and remedy, also for a {@link #refusal}. */
    StreamBackend open(StreamSettings settings) throws IOException;

    /** The providers on the class path or module path, by rank. */
    static List<BackendProvider> installed() {
        return ServiceLoader.load(BackendProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparingInt(BackendProvider::rank))
                .toList();
    }
}

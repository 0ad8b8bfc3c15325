package org.cabrank.stream;

import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import java.util.ServiceLoader;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamSettings;

/**
 * A backend that serves streams, found by {@link java.util.ServiceLoader} or passed to {@link Backend#of}. The types
 * {@code StreamSettings} and {@code StreamBackend} are for Cabrank's own modules.
 *
 * <p>Any thread may call the methods. Only Cabrank implements this interface; releases may add methods to it.
 */
@SuppressWarnings("exports") // only the reactor calls the methods with types of the package transport
public interface BackendProvider {

    /** The name that {@link Backend#named} takes. */
    String name();

    /** Returns the purpose of the backend for help texts, as a clause without a period. */
    default String description() {
        return "the backend " + name();
    }

    /** {@link Backend#auto} tries the lowest rank first. */
    int rank();

    /** Returns null if this backend can serve {@code settings} on some machine, otherwise the reason and a remedy. */
    default String refusal(StreamSettings settings) {
        return null;
    }

    /** Returns the reason if {@link Backend#auto} prefers another backend although this one could serve the settings; otherwise null. */
    default String reservation(StreamSettings settings) {
        return null;
    }

    /** Makes a backend. If it cannot serve here or {@link #refusal} is not null, throws {@link BackendUnavailableException}. */
    StreamBackend open(StreamSettings settings) throws IOException;

    /** The providers on the class path or module path, by rank. */
    static List<BackendProvider> installed() {
        return ServiceLoader.load(BackendProvider.class).stream()
                .map(ServiceLoader.Provider::get)
                .sorted(Comparator.comparingInt(BackendProvider::rank))
                .toList();
    }
}

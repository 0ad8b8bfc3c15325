package org.cabrank.stream;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.cabrank.stream.transport.StreamBackend;

/**
 * Choice of the backend.
 *
 * @param name of a provider, or null for the first that is available
 * @param provider the provider itself, or null for one that is installed
 */
public record Backend(String name, BackendProvider provider) {
    private static final System.Logger LOGGER = System.getLogger(Backend.class.getName());

    /**
     * The first, by rank, that works here and has no {@linkplain BackendProvider#disadvantage disadvantage} for what is to be
     * served: io_uring with one thread for each shard, epoll with several. One log line names it, with the reason: of the level INFO if
     * a better one is unavailable, else DEBUG.
     */
    public static Backend auto() {
        return new Backend(null, null);
    }

    /** This one or none. */
    public static Backend named(String name) {
        return new Backend(Objects.requireNonNull(name, "name"), null);
    }

    /** A provider of the caller's own, which need not be installed: for instance one with a kernel of a certain kind. */
    public static Backend of(BackendProvider provider) {
        return new Backend(provider.name(), provider);
    }

    /** Reasons against the backends of a better rank. */
    private static final class Reasons {
        private final StringBuilder text = new StringBuilder();

        /** One of them does not work here. */
        private boolean unavailable;

        void note(String reason) {
            text.append(text.isEmpty() ? " " : "; ").append(reason);
        }
    }

    StreamBackend open(StreamSettings settings, List<BackendProvider> providers) throws IOException {
        if (provider != null) {
            return provider.open(settings);
        }
        return name == null ? openFirst(settings, providers) : openNamed(settings, providers);
    }

    private static StreamBackend openFirst(StreamSettings settings, List<BackendProvider> providers)
            throws IOException {
        Reasons reasons = new Reasons();
        List<BackendProvider> last = new ArrayList<>();
        for (BackendProvider provider : providers) {
            String disadvantage = provider.disadvantage(settings);
            if (disadvantage == null) {
                StreamBackend backend = openOrNull(provider, settings, reasons);
                if (backend != null) {
                    return backend;
                }
            } else {
                last.add(provider);
                reasons.note(disadvantage);
            }
        }
        for (BackendProvider provider : last) {
            StreamBackend backend = openOrNull(provider, settings, reasons);
            if (backend != null) {
                return backend;
            }
        }
        throw new BackendUnavailableException(
                providers.isEmpty()
                        ? "no backend is on the class path: add cabrank-reactor-epoll"
                        : "no backend works here:" + reasons.text);
    }

    /** Null: it does not work here, for the reason that is noted. */
    private static StreamBackend openOrNull(BackendProvider provider, StreamSettings settings, Reasons reasons)
            throws IOException {
        try {
            StreamBackend backend = provider.open(settings);
            LOGGER.log(
                    reasons.unavailable ? System.Logger.Level.INFO : System.Logger.Level.DEBUG,
                    choice(provider, reasons.text));
            return backend;
        } catch (BackendUnavailableException unavailable) {
            reasons.note(unavailable.getMessage());
            reasons.unavailable = true;
            return null;
        }
    }

    private static String choice(BackendProvider taken, CharSequence reasons) {
        return "backend auto: " + taken.name() + " serves, "
                + (reasons.isEmpty() ? "the first by rank, and it works here" : "because" + reasons);
    }

    private StreamBackend openNamed(StreamSettings settings, List<BackendProvider> providers) throws IOException {
        for (BackendProvider provider : providers) {
            if (provider.name().equals(name)) {
                return provider.open(settings);
            }
        }
        throw new BackendUnavailableException("there is no backend '" + name + "'; there is: "
                + providers.stream().map(BackendProvider::name).collect(Collectors.joining(", ")));
    }

    @Override
    public String toString() {
        return name == null ? "auto" : name;
    }
}

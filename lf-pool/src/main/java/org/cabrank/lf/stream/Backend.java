package org.cabrank.lf.stream;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.cabrank.lf.stream.spi.StreamBackend;

/**
 * Which backend serves: the one place where it is chosen.
 *
 * @param name of a provider, or null for the first that is to be had
 * @param provider the provider itself, or null for one that is installed
 */
public record Backend(String name, BackendProvider provider) {
    private static final System.Logger LOGGER = System.getLogger(Backend.class.getName());

    /** The first, by rank, that works here; one log line (INFO) names it, with the reason. */
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

    StreamBackend open(StreamSettings settings, List<BackendProvider> providers) throws IOException {
        if (provider != null) {
            return provider.open(settings);
        }
        return name == null ? openFirst(settings, providers) : openNamed(settings, providers);
    }

    private static StreamBackend openFirst(StreamSettings settings, List<BackendProvider> providers)
            throws IOException {
        StringBuilder reasons = new StringBuilder();
        for (BackendProvider provider : providers) {
            try {
                StreamBackend backend = provider.open(settings);
                LOGGER.log(System.Logger.Level.INFO, choice(provider, reasons));
                return backend;
            } catch (BackendUnavailableException unavailable) {
                reasons.append(reasons.isEmpty() ? " " : "; ").append(unavailable.getMessage());
            }
        }
        throw new BackendUnavailableException(
                providers.isEmpty()
                        ? "no backend is on the class path: add cabrank-reactor-epoll"
                        : "no backend works here:" + reasons);
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

package org.cabrank.stream;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamSettings;

/** Choice of the backend. If {@code provider} is null, {@code name} decides. If both are null, the first available backend is chosen. */
public record Backend(String name, BackendProvider provider) {
    private static final System.Logger LOGGER = System.getLogger(Backend.class.getName());

    /**
     * Returns the choice of the first backend, by rank, that works here and can serve the threads of a shard. io_uring serves shards with
     * one thread. Epoll serves shards with several threads, and shards that add threads. If only io_uring works, each shard that would add
     * threads gets one thread. A log line gives the reason for the choice (see {@link StreamReactor#backendDescription}).
     */
    public static Backend auto() {
        return new Backend(null, null);
    }

    /** Returns the choice of one backend. If it is unavailable, starting fails. */
    public static Backend named(String name) {
        return new Backend(Objects.requireNonNull(name, "name"), null);
    }

    /** Returns the choice of a provider that the caller has made. The provider does not have to be installed. */
    public static Backend of(BackendProvider provider) {
        return new Backend(Objects.requireNonNull(provider, "provider").name(), provider);
    }

    record Opened(StreamBackend backend, StreamSettings settings, String reason) {
        String description() {
            return backend.description() + (reason.isEmpty() ? "" : " [" + reason + "]");
        }
    }

    Opened open(StreamSettings settings, List<BackendProvider> providers) throws IOException {
        if (provider != null) {
            return openAlone(provider, settings);
        }
        return name == null ? openFirst(settings, providers) : openNamed(settings, providers);
    }

    private static Opened openAlone(BackendProvider provider, StreamSettings settings) throws IOException {
        if (!settings.grows()) {
            return new Opened(provider.open(settings), settings, "");
        }
        String refusal = provider.refusal(settings);
        if (refusal == null) {
            try {
                return new Opened(provider.open(settings), settings, "");
            } catch (BackendUnavailableException refused) {
                if (!refused.isOfSeveralThreads()) {
                    throw refused;
                }
                refusal = refused.getMessage();
            }
        }
        StreamSettings fixed = settings.withFixedThreads(1);
        return new Opened(provider.open(fixed), fixed, "1 thread per shard: " + refusal);
    }

    private static Opened openFirst(StreamSettings settings, List<BackendProvider> providers) throws IOException {
        List<String> reasons = new ArrayList<>();
        System.Logger.Level level = System.Logger.Level.DEBUG;
        for (BackendProvider provider : providers) {
            String refusal = provider.refusal(settings);
            if (refusal == null) {
                refusal = provider.reservation(settings);
            }
            if (refusal != null) {
                reasons.add(refusal);
                continue;
            }
            try {
                String reason = reasons.isEmpty() ? "the first by rank that works here" : String.join("; ", reasons);
                Opened opened = new Opened(provider.open(settings), settings, reason);
                LOGGER.log(level, "backend: " + provider.name() + ". Reason: " + reason);
                return opened;
            } catch (BackendUnavailableException unavailable) {
                reasons.add(unavailable.getMessage());
                level = System.Logger.Level.INFO;
            }
        }
        if (settings.grows()) {
            return openFirst(settings.withFixedThreads(1), providers);
        }
        throw new BackendUnavailableException(
                providers.isEmpty()
                        ? "no backend is on the class path: add cabrank-reactor-epoll"
                        : "no backend works here: " + String.join("; ", reasons));
    }

    private Opened openNamed(StreamSettings settings, List<BackendProvider> providers) throws IOException {
        for (BackendProvider provider : providers) {
            if (provider.name().equals(name)) {
                return openAlone(provider, settings);
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

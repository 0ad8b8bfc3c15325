package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.kernel.KernelProvider;

/**
 * A way to run a pool, over a backend and by a kernel binding.
 *
 * @param flags of {@code cabrank serve}, without the backend
 */
record PoolMode(String backend, String kernel, List<String> flags) {

    private static final boolean SOAK = Long.getLong("cabrank.soak.seconds") != null;

    private static final String EPOLL = "epoll";
    private static final String IO_URING = "iouring";
    private static final String PANAMA = "panama";
    private static final String JNA = "jna";

    /**
     * Returns a ring and threads shared by shards, over the binding that this JVM prefers. In a soak: all ways over that binding, and
     * those of {@link #dispatching}. All ways serve in the tests of the pool and of the reactors.
     */
    static Stream<PoolMode> all() {
        String kernel = preferred();
        return SOAK
                ? Stream.concat(ofKernel(kernel).stream(), dispatching()).distinct()
                : Stream.of(ofRing(kernel), sharingThreads(kernel, "deferred"));
    }

    /** Returns the backends over which a server's process is tested: in a soak both, else a ring, or epoll where there is none. */
    static Stream<String> backends() {
        return SOAK ? Stream.of(EPOLL, IO_URING) : Stream.of(whyNoRing() == null ? IO_URING : EPOLL);
    }

    /** Returns the reason why this machine has no rings; null if it has. */
    static String whyNoRing() {
        return WhyNoRing.WORDS;
    }

    /**
     * Modes that differ in the calls of the kernel: every promotion with every deactivation over epoll, and a ring,
     * over every binding. All other differences are above the binding, and equal over each.
     */
    static Stream<PoolMode> dispatching() {
        return Stream.of(PANAMA, JNA).flatMap(kernel -> dispatching(kernel).stream());
    }

    /** One mode over the binding that this JVM chooses by default; in a soak all of {@link #dispatching} over that binding. */
    static Stream<PoolMode> dispatchingByPreferredKernel() {
        String kernel = preferred();
        return SOAK ? dispatching(kernel).stream() : Stream.of(of(kernel, "3", "eager", "--deactivation", "claim"));
    }

    private static List<PoolMode> ofKernel(String kernel) {
        List<PoolMode> modes = new ArrayList<>(dispatching(kernel));
        modes.add(of(kernel, "1", "deferred", "--wait", "spin"));
        for (String promotion : List.of("eager", "deferred")) {
            modes.add(of(kernel, "3", promotion, "--wait", "spin"));
            modes.add(of(kernel, "3", promotion, "--order", "fifo"));
            modes.add(of(kernel, "3", promotion, "--order", "any"));
            modes.add(sharingThreads(kernel, promotion));
        }
        return modes;
    }

    private static List<PoolMode> dispatching(String kernel) {
        List<PoolMode> modes = new ArrayList<>();
        modes.add(ofRing(kernel));
        for (String deactivation : List.of("claim", "oneshot")) {
            modes.add(of(kernel, "1", "deferred", "--deactivation", deactivation));
            modes.add(of(kernel, "3", "eager", "--deactivation", deactivation));
            modes.add(of(kernel, "3", "deferred", "--deactivation", deactivation));
        }
        return modes;
    }

    private static PoolMode ofRing(String kernel) {
        return new PoolMode(IO_URING, kernel, List.of("--threads-per-shard", "1"));
    }

    private static PoolMode sharingThreads(String kernel, String promotion) {
        return new PoolMode(
                EPOLL, kernel, List.of("--shards", "2", "--set", "serve.sharedThreads=3", "--promotion", promotion));
    }

    private static PoolMode of(String kernel, String threads, String promotion, String... flags) {
        List<String> all = new ArrayList<>(List.of("--threads-per-shard", threads, "--promotion", promotion));
        all.addAll(List.of(flags));
        return new PoolMode(EPOLL, kernel, all);
    }

    private static String preferred() {
        return available(PANAMA) ? PANAMA : JNA;
    }

    private static boolean available(String kernel) {
        try {
            return ServiceLoader.load(KernelProvider.class).stream()
                    .anyMatch(provider -> provider.get().name().equals(kernel));
        } catch (ServiceConfigurationError tooNewForThisJvm) {
            // The panama classes under a JVM of 17: there is no other binding but jna then.
            return kernel.equals(JNA);
        }
    }

    /** The reason why this machine has no rings; null if it has. */
    private static final class WhyNoRing {
        private static final String WORDS = text();

        private static String text() {
            try {
                Contenders.named("cabrank-iouring")
                        .start(ServerSettings.DEFAULT)
                        .close();
                return null;
            } catch (ContenderUnavailableException notHere) {
                return notHere.getMessage();
            } catch (IOException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }

    /** Starts a server of that kind; the test is skipped where this JVM or this machine cannot. */
    ServeProcess serve(String protocol) throws IOException {
        assumeTrue(
                kernel == null || available(kernel),
                "the kernel binding '" + kernel + "' is not on the class path of this JVM");
        assumeTrue(backend.equals(EPOLL) || WhyNoRing.WORDS == null, () -> WhyNoRing.WORDS);
        List<String> arguments = new ArrayList<>(List.of(protocol, "--listen", "127.0.0.1:0", "--backend", backend));
        arguments.addAll(flags);
        return ServeProcess.start(kernel, arguments.toArray(String[]::new));
    }

    @Override
    public String toString() {
        return backend + " " + kernel + " " + String.join(" ", flags);
    }
}

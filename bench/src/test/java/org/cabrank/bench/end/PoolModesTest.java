package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.cabrank.bench.load.LoadGenerator;
import org.cabrank.bench.load.LoadResult;
import org.cabrank.bench.load.LoadSettings;
import org.cabrank.bench.text.HostPort;
import org.cabrank.kernel.KernelProvider;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every way a pool can be run, with every kernel binding: what clients send comes back right, byte for byte. */
@Timeout(60)
final class PoolModesTest {

    private static final long RUN_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int CONNECTIONS = 12;

    static Stream<List<String>> modes() {
        List<List<String>> modes = new ArrayList<>();
        for (String kernel : List.of("panama", "jna")) {
            modes.addAll(modesOfPromotion(kernel));
            List<String> spinning = List.of("--wait", "spin");
            modes.add(mode(kernel, "1", "deferred", spinning));
            modes.add(mode(kernel, "3", "eager", spinning));
            modes.add(mode(kernel, "3", "deferred", spinning));
            for (String promotion : List.of("eager", "deferred")) {
                modes.add(List.of(kernel, "--shards", "2", "--shared-threads", "3", "--promotion", promotion));
            }
            for (String order : List.of("fifo", "any")) {
                modes.add(mode(kernel, "3", "eager", List.of("--order", order)));
                modes.add(mode(kernel, "3", "deferred", List.of("--order", order)));
            }
        }
        return modes.stream();
    }

    /** A process each, so HTTP has only those that differ in how a connection is dispatched. */
    static Stream<List<String>> modesOfPromotion() {
        return Stream.of("panama", "jna").flatMap(kernel -> modesOfPromotion(kernel).stream());
    }

    private static List<List<String>> modesOfPromotion(String kernel) {
        List<List<String>> modes = new ArrayList<>();
        for (String deactivation : List.of("claim", "oneshot")) {
            List<String> flags = List.of("--deactivation", deactivation);
            modes.add(mode(kernel, "1", "deferred", flags));
            modes.add(mode(kernel, "3", "eager", flags));
            modes.add(mode(kernel, "3", "deferred", flags));
            modes.add(mode(kernel, "3", "kernel", flags));
        }
        return modes;
    }

    private static List<String> mode(String kernel, String threads, String promotion, List<String> flags) {
        List<String> mode = new ArrayList<>(List.of(kernel, "--threads-per-shard", threads, "--promotion", promotion));
        mode.addAll(flags);
        return mode;
    }

    @ParameterizedTest
    @MethodSource("modes")
    void randomChunksComeBackByteForByte(List<String> mode) throws Exception {
        try (ServeProcess server = start("echo", mode)) {
            LoadGenerator generator = LoadGenerator.start(Kernels.system(), chunks(server.address()), () -> {});
            generator.awaitConnected();
            generator.beginMeasuring();
            assertTrue(generator.run(RUN_NS), "every connection has failed");
            generator.endMeasuring();
            LoadResult result = generator.finish();
            assertEquals(Map.of(), result.errors());
            assertNull(generator.firstWrongAnswer());
            assertTrue(result.bytes() > 0, "nothing came back");
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
        }
    }

    @ParameterizedTest
    @MethodSource("modesOfPromotion")
    void wrkGetsAnAnswerToEveryRequest(List<String> mode) throws Exception {
        assumeTrue(onPath("wrk"), "wrk is not on the PATH: on Debian, apt-get install wrk");
        try (ServeProcess server = start("http", mode)) {
            Process wrk = new ProcessBuilder("wrk", "-t1", "-c12", "-d1s", "http://" + server.address() + "/")
                    .redirectErrorStream(true)
                    .start();
            String report = new String(wrk.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, wrk.waitFor(), report);
            assertTrue(report.matches("(?s).*\\n\\s*[1-9]\\d* requests in .*"), report);
            assertTrue(!report.contains("Socket errors") && !report.contains("Non-2xx"), report);
            server.terminate();
            assertEquals(0, server.exitStatus(), server::errorsOrWhyNot);
        }
    }

    private static ServeProcess start(String protocol, List<String> mode) throws Exception {
        String kernel = mode.get(0);
        assumeTrue(available(kernel), "the kernel binding '" + kernel + "' is not on the class path of this JVM");
        List<String> arguments = new ArrayList<>(List.of(protocol, "--listen", "127.0.0.1:0"));
        arguments.addAll(mode.subList(1, mode.size()));
        return ServeProcess.start(kernel, arguments.toArray(String[]::new));
    }

    private static boolean available(String kernel) {
        try {
            return ServiceLoader.load(KernelProvider.class).stream()
                    .anyMatch(provider -> provider.get().name().equals(kernel));
        } catch (ServiceConfigurationError tooNewForThisJvm) {
            // The panama classes under a JVM of 17: there is no other binding but jna then.
            return kernel.equals("jna");
        }
    }

    private static LoadSettings chunks(HostPort address) throws Exception {
        return new LoadSettings(address.resolve(), CONNECTIONS, 1, 1, 0, true, LoadSettings.DEFAULT_TIMEOUT_NS);
    }

    private static boolean onPath(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(directory -> new File(directory, program).canExecute());
    }
}

package org.cabrank.netty.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Faults of the kernel under pipelines with TLS, in a process of their own, whose kernel is faulty. */
class FaultsTest {

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void pipelinesOutliveFaultsOfTheKernel(String backend) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dcabrank.kernel=" + FaultyProvider.NAME,
                        "-Dio.netty.leakDetection.level=paranoid",
                        "-Dio.netty.customResourceLeakDetector=org.cabrank.netty.CountingLeakDetector",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FaultyEcho.class.getName(),
                        backend)
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(Await.PATIENCE_NS, TimeUnit.NANOSECONDS));
            assertEquals(0, process.exitValue(), output);
        } finally {
            process.destroyForcibly();
        }
    }
}

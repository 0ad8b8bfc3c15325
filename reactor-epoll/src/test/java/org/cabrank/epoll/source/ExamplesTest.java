package org.cabrank.epoll.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.cabrank.epoll.TestKernel;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.stream.contract.Await;
import org.cabrank.lf.stream.contract.TestClient;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What users are shown does what it says. The one of signals is in {@link SignalTest}. */
@Timeout(60)
class ExamplesTest {
    @TempDir
    Path dir;

    static List<TestKernel> kernels() {
        return TestKernel.all();
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void eventfdAndTimerfdAreCounted(TestKernel kernel) throws Exception {
        assertEquals(5_050, new EventfdExample(kernel.kernel()).run(100));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void settingsAreLoadedAnew(TestKernel kernel) throws Exception {
        Path file = Files.writeString(dir.resolve("settings"), "one");
        try (InotifyExample example = new InotifyExample(kernel.kernel(), file)) {
            assertEquals("one", example.loaded().poll(20, TimeUnit.SECONDS));
            Path next = Files.writeString(dir.resolve("settings.new"), "two");
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
            assertEquals("two", example.loaded().poll(20, TimeUnit.SECONDS));
        }
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void urgentJobsAreDoneFirst(TestKernel kernel) throws Exception {
        int result = kernel.kernel().mqUnlink(kernel.kernel().addressOf(Endpoint.direct(1)));
        assumeTrue(result != -Errno.ENOSYS, "the kernel has no message queues");
        String name = "/cabrank-example-" + ProcessHandle.current().pid();
        assertEquals(
                List.of("put out the fire", "sweep", "water the plants"),
                new MessageQueueExample().run(kernel.kernel(), name));
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void linesComeOutInCapitals(TestKernel kernel) throws Exception {
        Path fifo = dir.resolve("fifo");
        Kernel chosen = kernel.kernel(); // here, because only the test's own thread can skip the test
        CompletableFuture<String> result = CompletableFuture.supplyAsync(() -> {
            try {
                return PipeExample.run(chosen, fifo);
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        Await.until("the pipe is there", () -> Files.exists(fifo) || result.isDone());
        Files.writeString(fifo, "hello\nwor");
        Files.writeString(fifo, "ld\nend\n");
        assertEquals("HELLO\nWORLD\n", result.get());
    }

    @ParameterizedTest
    @MethodSource("kernels")
    void everyTaskIsRunByThePool(TestKernel kernel) throws Exception {
        assertEquals(50_005_000, TaskQueueExample.run(kernel.kernel(), 10_000));
    }

    @Test
    void everybodyIsToldTheTicksOfATimer() throws Exception {
        try (TimersExample example = new TimersExample(Duration.ofMillis(1));
                TestClient one = TestClient.connect(example.server().localAddress());
                TestClient other = TestClient.connect(example.server().localAddress())) {
            one.expect("tick\ntick\ntick\n");
            other.expect("tick\ntick\ntick\n");
        }
    }
}

package org.cabrank.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.cabrank.lf.fixture.Await;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class KernelThreadTest {
    @ParameterizedTest
    @CsvSource({
        "1234 (worker) R 1 2 3, false",
        "1234 (worker) S 1 2 3, true",
        "1234 (worker) D 1 2 3, true",
        "1234 (a ) R (b) S 1 2, true",
        "1234 (a) S (b) R 1 2, false",
        "1234 (cut off, true",
        "'', true",
    })
    void stateStandsBehindTheName(String stat, boolean blocked) {
        byte[] bytes = stat.getBytes(StandardCharsets.ISO_8859_1);
        assertEquals(blocked, KernelThread.isBlocked(bytes, bytes.length));
    }

    @Test
    void ofNothingThatCanBeReadItIsBlocked() {
        assertTrue(KernelThread.isBlocked(new byte[8], -1));
        assertTrue(KernelThread.UNKNOWN.getAsBoolean());
    }

    @Test
    void callingThreadRuns() {
        assertFalse(KernelThread.current().getAsBoolean());
    }

    /** Java takes it for one that runs. */
    @Test
    void threadInABlockingCallIsBlockedAndThenGone() throws Exception {
        CompletableFuture<KernelThread> reader = new CompletableFuture<>();
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket accepted = listener.accept()) {
            Thread thread = new Thread(
                    () -> {
                        reader.complete(KernelThread.current());
                        try {
                            client.getInputStream().read();
                        } catch (IOException closed) {
                            // as intended
                        }
                    },
                    "a ) R");
            thread.start();
            KernelThread seen = reader.get();
            assertTrue(Await.until(Await.PATIENCE, seen::getAsBoolean));
            assertEquals(Thread.State.RUNNABLE, thread.getState());
            accepted.getOutputStream().write(1);
            thread.join();
            assertTrue(Await.until(Await.PATIENCE, seen::getAsBoolean), "nothing can be told of it");
        }
    }
}

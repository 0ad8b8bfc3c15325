package org.cabrank.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.cabrank.lf.observe.Liveness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class SupervisionTest {
    @TempDir
    private Path directory;

    private Supervision begin(NotifySocket manager) {
        return Supervision.begin(
                ServiceNotifier.to(manager.target()), Duration.ZERO, limit -> Liveness.LIVE, "serving");
    }

    @Test
    void reloadIsNotifiedBeforeAndAfter() throws Exception {
        try (NotifySocket manager = NotifySocket.in(directory);
                Supervision supervision = begin(manager)) {
            assertEquals("READY=1\nSTATUS=serving", manager.next());
            supervision.reload(() -> {
                assertTrue(manager.next().startsWith("RELOADING=1\n"));
                return "serving anew";
            });
            assertEquals("READY=1\nSTATUS=serving anew", manager.next());
        }
    }

    @Test
    void reloadThatFailsLeavesTheServiceReady() throws Exception {
        try (NotifySocket manager = NotifySocket.in(directory);
                Supervision supervision = begin(manager)) {
            manager.next();
            IOException wrong = new IOException("no such file");
            assertSame(
                    wrong,
                    assertThrows(
                            IOException.class,
                            () -> supervision.reload(() -> {
                                throw wrong;
                            })));
            assertTrue(manager.next().startsWith("RELOADING=1\n"));
            assertEquals("READY=1\nSTATUS=reload failed, the former configuration stays: no such file", manager.next());
            assertThrows(
                    NoClassDefFoundError.class,
                    () -> supervision.reload(() -> {
                        throw new NoClassDefFoundError("Certificates");
                    }));
            assertTrue(manager.next().startsWith("RELOADING=1\n"));
            assertEquals("READY=1\nSTATUS=reload failed, the former configuration stays: Certificates", manager.next());
        }
    }
}

package org.cabrank.systemd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ServiceNotifierTest {
    @TempDir
    private Path directory;

    @Test
    void eachStateIsOneDatagram() throws IOException {
        try (NotifySocket manager = NotifySocket.in(directory)) {
            ServiceNotifier notifier = ServiceNotifier.to(manager.target());
            assertTrue(notifier.isAsked());
            assertTrue(notifier.ready("serving\n 2 shards"));
            assertEquals("READY=1\nSTATUS=serving 2 shards", manager.next());
            assertTrue(notifier.showStatus(""));
            assertEquals("STATUS=", manager.next());
            assertTrue(notifier.alive());
            assertEquals("WATCHDOG=1", manager.next());
            assertTrue(notifier.stopping(Duration.ofMillis(1_500)));
            assertEquals("STOPPING=1\nEXTEND_TIMEOUT_USEC=1500000", manager.next());
            assertTrue(notifier.send("X_OWN=ü"));
            assertEquals("X_OWN=ü", manager.next());
            long beforeUs = System.nanoTime() / 1_000;
            assertTrue(notifier.reloading());
            String reloading = manager.next();
            assertTrue(reloading.startsWith("RELOADING=1\nMONOTONIC_USEC="), reloading);
            long us = Long.parseLong(reloading.substring(reloading.lastIndexOf('=') + 1));
            assertTrue(us >= beforeUs && us <= System.nanoTime() / 1_000, reloading);
            assertEquals(0, notifier.failures());
        }
    }

    @Test
    void abstractNameIsReached() throws IOException {
        String name = "cabrank-notify-" + ProcessHandle.current().pid();
        try (NotifySocket manager = NotifySocket.abstractly(name)) {
            assertTrue(ServiceNotifier.to(manager.target()).alive());
            assertEquals("WATCHDOG=1", manager.next());
        }
    }

    @Test
    void socketThatIsNotThereIsCountedAndTheNextNotificationTriesAgain() throws IOException {
        String target = directory.resolve("notify").toString();
        ServiceNotifier notifier = ServiceNotifier.to(target);
        assertFalse(notifier.alive());
        assertFalse(notifier.alive());
        assertEquals(2, notifier.failures());
        try (NotifySocket manager = NotifySocket.in(directory)) {
            assertTrue(notifier.alive());
            assertEquals("WATCHDOG=1", manager.next());
        }
        assertEquals(2, notifier.failures());
    }

    @Test
    void addressesOfOtherFamiliesAndTooLongPathsAreRefused() {
        for (String target : List.of("vsock:2:1234", "relative", "@", "", "/" + "x".repeat(200))) {
            ServiceNotifier notifier = ServiceNotifier.to(target);
            assertTrue(notifier.isAsked());
            assertFalse(notifier.alive(), target);
            assertEquals(1, notifier.failures(), target);
        }
    }

    /** Answers of sendto(2), or of socket(2), before those of the kernel. */
    private static final class RefusingKernel extends ForwardingKernel {
        final Deque<Integer> sends = new ArrayDeque<>();
        final Deque<Integer> sockets = new ArrayDeque<>();

        RefusingKernel() throws KernelUnavailableException {
            super(Kernels.system());
        }

        @Override
        public int socket(int domain, int type, int protocol) {
            return sockets.isEmpty() ? super.socket(domain, type, protocol) : sockets.remove();
        }

        @Override
        public int sendto(int fd, long buffer, int count, int flags, long address, int length) {
            return sends.isEmpty() ? super.sendto(fd, buffer, count, flags, address, length) : sends.remove();
        }
    }

    @Test
    void refusalsThatPassAreTriedAgainAndOthersAreCounted() throws IOException {
        try (NotifySocket manager = NotifySocket.in(directory)) {
            RefusingKernel kernel = new RefusingKernel();
            ServiceNotifier notifier = ServiceNotifier.to(manager.target(), kernel);
            kernel.sockets.add(-Errno.EMFILE);
            assertFalse(notifier.alive());
            kernel.sends.addAll(List.of(-Errno.EAGAIN, -Errno.EINTR, -Errno.ENOBUFS));
            assertTrue(notifier.alive());
            assertEquals("WATCHDOG=1", manager.next());
            kernel.sends.add(-Errno.EPERM);
            assertFalse(notifier.alive());
            assertEquals(2, notifier.failures());
            assertTrue(notifier.alive());
            assertEquals("WATCHDOG=1", manager.next());
        }
    }
}

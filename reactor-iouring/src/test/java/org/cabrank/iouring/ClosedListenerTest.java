package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A listener that is closed while the kernel has not taken its accept request: the request names the socket by its number. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class ClosedListenerTest {
    /** More numbers than the rest of the process takes in the meantime: the kernel gives out the lowest that is free. */
    private static final int NUMBERS = 64;

    private final FaultyRings rings = new FaultyRings(TestKernel.any());

    private static List<Integer> lowestFreeNumbers(Kernel kernel) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < NUMBERS; i++) {
            numbers.add(kernel.eventfd(0, Events.EFD_CLOEXEC));
        }
        numbers.forEach(kernel::close);
        return numbers;
    }

    private static boolean isOpen(int fd) {
        return Files.exists(Path.of("/proc/self/fd", Integer.toString(fd)), LinkOption.NOFOLLOW_LINKS);
    }

    @Test
    void theNumberOfTheSocketIsGivenOutAfterItsAcceptHasEnded() throws Exception {
        try (FaultyServer server = FaultyServer.start(rings, FaultyServer.SMALL, StreamReactor.builder())) {
            RingHandleSet set = server.set();
            rings.refuseEnter(Errno.EAGAIN, Integer.MAX_VALUE);
            server.listen((connection, data) -> {});
            AcceptRequests requests = (AcceptRequests) set.table().all().get(0);
            Await.until("the accept is queued", requests::isAccepting);
            DescriptorHandle listener = (DescriptorHandle) requests.handle();

            listener.close();
            Await.until("the listener has left", () -> set.handleCount() == 0);

            assertTrue(requests.isAccepting());
            assertFalse(lowestFreeNumbers(rings).contains(listener.fd()));
            rings.behave();
            Await.until("the socket is closed", () -> !isOpen(listener.fd()));
            assertFalse(requests.isAccepting());
        }
    }
}

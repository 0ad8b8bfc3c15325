package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.calls.DescriptorOwner;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A listener that drains before the last completion of its accept has come. The test is the watcher. What the accept names is
 * no socket, so the kernel accepts nothing.
 */
@Timeout(300)
class AcceptRequestsDrainTest {
    private static final int LAST = 0;
    private static final int ACCEPTED = 1_000_000;

    private final Kernel kernel = TestKernel.any();
    private BufferedSet buffered;
    private RingHandleSet set;
    private int fd;

    @BeforeEach
    void open() throws IOException {
        buffered = BufferedSet.open(kernel);
        set = buffered.set();
        set.newHarvest();
        set.beginWatching();
        fd = Errno.check("eventfd", kernel.eventfd(0, Events.EFD_CLOEXEC));
    }

    @AfterEach
    void close() {
        if (set != null) {
            buffered.close();
            kernel.close(fd);
        }
    }

    private AcceptRequests armed() {
        RingHandle handle = new RingHandle(
                set,
                fd,
                Ready.READ,
                (own, ready) -> {},
                DescriptorOwner.CALLER,
                true,
                own -> new AcceptRequests(set, own, false, () -> {}));
        AcceptRequests requests = (AcceptRequests) handle.requests();
        set.table().add(requests);
        requests.arm();
        assertTrue(requests.isAccepting());
        return requests;
    }

    private void forget(AcceptRequests requests) {
        assertTrue(set.ring().submit() >= 0);
        Rings.takeAll(set.ring());
        set.table().remove(requests);
    }

    /** Closed before, the listener would reset a connection whose peer has sent its request. */
    @Test
    void isDrainedWhenTheConnectionOfTheLastCompletionIsTaken() {
        AcceptRequests requests = armed();
        requests.drain();
        assertFalse(requests.isDrained());
        assertEquals(Ready.READ, requests.completed(HandleRequests.ACCEPT, ACCEPTED, LAST));
        assertFalse(requests.isDrained());
        assertEquals(ACCEPTED, requests.poll());
        assertTrue(requests.isDrained());
        forget(requests);
    }

    /** The completion that ends the request, and a handler that asks for more, come too late. */
    @Test
    void isNotArmedAgainWhoeverAsksForIt() {
        AcceptRequests requests = armed();
        requests.drain();
        assertFalse(requests.isDrained(), "the last completion is to come");
        assertEquals(Ready.READ, requests.completed(HandleRequests.ACCEPT, -Errno.ECANCELED, LAST));
        requests.arm();
        assertFalse(requests.isAccepting());
        assertTrue(requests.isDrained());
        forget(requests);
    }
}

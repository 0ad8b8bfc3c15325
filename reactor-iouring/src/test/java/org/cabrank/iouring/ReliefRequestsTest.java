package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.List;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests that several threads make of a ring. The test is the owner, and decides on the moments. */
@Timeout(300)
class ReliefRequestsTest {
    private BufferedSet buffered;
    private TcpPair pair;
    private RingHandleSet set;
    private StreamRequests requests;

    @BeforeEach
    void open() throws IOException {
        buffered = BufferedSet.openRelieved(TestKernel.any());
        set = buffered.set();
        pair = new TcpPair(TestKernel.any());
        set.newHarvest();
        RingHandle handle = new RingHandle(
                set,
                pair.fd(),
                null,
                own -> new StreamRequests(set, own, null, buffered.buffers(), false)); // never dispatched
        requests = (StreamRequests) handle.requests();
        set.table().add(requests);
        set.beginWatching();
    }

    @AfterEach
    void close() throws IOException {
        buffered.close();
        pair.close();
    }

    private void locked(Runnable request) {
        set.enter();
        try {
            request.run();
        } finally {
            set.leave();
        }
    }

    private void byAnotherThread(Runnable request) throws InterruptedException {
        Thread other = new Thread(() -> locked(request), "other");
        other.start();
        other.join();
    }

    /** An end that overtakes its receive finds nothing to end, and the receive would stay. */
    @Test
    void ownersRequestsComeBehindThoseThatOthersHaveMadeBefore() throws Exception {
        byAnotherThread(() -> requests.receive(false));
        assertEquals(0, set.ring().submissions().pending(), "the receive waits for the owner");
        locked(requests::endReceiving);
        set.beginWatching();
        List<Completion> completions = Rings.awaitSome(set.ring());
        for (Completion completion : completions) {
            if (HandleRequests.operation(completion.userData()) == HandleRequests.RECV) {
                requests.completed(HandleRequests.RECV, completion.result(), completion.flags());
            }
        }
        assertFalse(requests.isReceiving(), "the receive has ended");
    }
}

package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.Epoll;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The poll that reports a reset while reading is paused. */
@Timeout(300)
class EndRequestTest {
    private static final int COMPLETIONS = 32;

    /** If the completion queue is full, a multishot poll ends with its next event, which is an orderly end here. */
    @Test
    void resetIsReportedBehindAnEndThatFoundTheCompletionQueueFull() throws Exception {
        try (BufferedSet buffered = BufferedSet.open();
                TcpPair pair = new TcpPair(TestKernel.any())) {
            RingHandleSet set = buffered.set();
            Ring ring = set.ring();
            RingHandle handle = new RingHandle(
                    set, pair.fd(), null, own -> new StreamRequests(set, own, null, buffered.buffers(), false));
            StreamRequests requests = (StreamRequests) handle.requests();
            set.table().add(requests);
            set.beginWatching();
            Rings.takeAll(ring);
            requests.watchEnd();
            for (int i = 0; i < COMPLETIONS; i++) {
                Rings.addNop(ring, HandleRequests.anonymous(HandleRequests.CANCEL));
            }
            ring.submit();
            pair.end();
            while (!ring.completions().overflowed()) {
                ring.reap();
            }
            Completion end = endOf(ring);
            assertFalse(end.more());
            assertEquals(0, end.result() & Epoll.EPOLLERR);
            assertEquals(0, requests.completed(HandleRequests.END, end.result(), end.flags()));
            ring.submit();
            pair.reset();
            int ready = 0;
            while (ready == 0) {
                Completion next = endOf(ring);
                ready = requests.completed(HandleRequests.END, next.result(), next.flags());
            }
            assertEquals(Ready.ERROR, ready);
        }
    }

    private static Completion endOf(Ring ring) {
        while (true) {
            for (Completion each : Rings.awaitSome(ring)) {
                if (HandleRequests.operation(each.userData()) == HandleRequests.END) {
                    return each;
                }
            }
        }
    }
}

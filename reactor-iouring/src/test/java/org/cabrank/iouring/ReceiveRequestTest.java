package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Moments at which a receive is asked for. The test is the watcher, and decides on the completions. */
@Timeout(300)
class ReceiveRequestTest {
    private static final int MORE = IoUring.IORING_CQE_F_MORE;
    private static final int LAST = 0;

    private BufferedSet buffered;

    /** Sends nothing: the watcher finds no end. */
    private TcpPair pair;

    private RingHandleSet set;
    private StreamRequests requests;

    /** Submissions: receives and cancellations. */
    private int asked;

    @BeforeEach
    void open() throws IOException {
        buffered = BufferedSet.open(TestKernel.any());
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

    private void arm() {
        requests.receive(false);
        assertAsked(1, "the receive");
    }

    /** The kernel has put a byte into this buffer, and goes on. */
    private void complete(int buffer) {
        int flags = buffer << IoUring.IORING_CQE_BUFFER_SHIFT | IoUring.IORING_CQE_F_BUFFER | MORE;
        assertEquals(Ready.READ, requests.completed(HandleRequests.RECV, 1, flags));
    }

    private void completeLast(int result) {
        completeLast(result, Ready.READ);
    }

    private void completeLast(int result, int ready) {
        assertEquals(ready, requests.completed(HandleRequests.RECV, result, LAST));
    }

    private void leaveFree(int buffers) {
        for (int buffer = buffers; buffer < BufferedSet.BUFFERS; buffer++) {
            buffered.buffers().ring().taken(buffer);
        }
    }

    private void assertAsked(int more, String what) {
        asked += more;
        assertEquals(asked, set.ring().submissions().pending(), what);
    }

    @Test
    void receiveThatStarvesIsFedOnceWhenThereIsABuffer() {
        arm();
        leaveFree(0);
        completeLast(-Errno.ENOBUFS);
        requests.receive(false);
        assertAsked(0, "there is no buffer");
        assertFalse(requests.isReceiving());
        buffered.buffers().rearmStarved();
        assertAsked(0, "there is no buffer still");
        buffered.buffers().ring().recycle(1);
        buffered.buffers().rearmStarved();
        assertAsked(1, "another receive");
        completeLast(-Errno.ECANCELED);
        buffered.buffers().rearmStarved();
        assertAsked(0, "it does not starve any more");
    }

    @Test
    void receiveWhoseEndWasWantedIsArmedAgainWhenItIsAskedFor() {
        arm();
        complete(0);
        requests.endReceiving();
        assertAsked(1, "its end");
        completeLast(-Errno.ECANCELED);
        assertAsked(0, "nobody wants it");
        requests.receive(false);
        assertAsked(1, "another receive");
    }

    /** Another connection starves, and the shard has no memory for the piece that waits here. */
    private void loseThePieceThatWaits() {
        buffered.chunks().bound(0);
        leaveFree(1);
        buffered.buffers().exhausted(new ReceiveBuffers.Receiver() {
            @Override
            public void starve() {}

            @Override
            public boolean feed() {
                return false;
            }
        });
        buffered.buffers().rearmStarved();
    }

    @Test
    void nothingIsTakenBehindAPieceThatWasLostForWantOfMemory() throws Exception {
        arm();
        complete(0);
        loseThePieceThatWaits();
        int free = buffered.buffers().ring().free();
        complete(0);
        assertAsked(1, "the end of the receive");
        assertEquals(free, buffered.buffers().ring().free(), "buffers that the kernel has again");
        completeLast(0, Ready.READ | Ready.ERROR);
        assertEquals(InboundQueue.END, requests.inbound().poll());
        assertEquals(InboundQueue.NO_MEMORY, requests.inbound().endResult());
    }

    /** The end of the stream waits behind the piece. */
    @Test
    void endIsNotOrderlyBehindAPieceThatWasLostForWantOfMemory() throws Exception {
        arm();
        complete(0);
        completeLast(0, Ready.READ);
        loseThePieceThatWaits();
        assertEquals(InboundQueue.END, requests.inbound().poll());
        assertEquals(InboundQueue.NO_MEMORY, requests.inbound().endResult());
    }

    @Test
    void receiveFillsOneBufferWhileBuffersAreScarce() throws IOException {
        try (TcpPair pair = new TcpPair(TestKernel.any())) {
            RingHandle handle = new RingHandle(
                    set, pair.fd(), null, own -> new StreamRequests(set, own, null, buffered.buffers(), false));
            StreamRequests receiver = (StreamRequests) handle.requests();
            buffered.buffers().noteExhausted();
            pair.send(new byte[2 * BufferedSet.BUFFER_BYTES]);
            receiver.receive(false);
            List<Completion> completions = Rings.awaitSome(set.ring());
            assertEquals(1, completions.size());
            assertEquals(BufferedSet.BUFFER_BYTES, completions.get(0).result());
            assertEquals(0, completions.get(0).flags() & MORE, "it has ended");
        }
    }
}

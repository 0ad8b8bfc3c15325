package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.cabrank.iouring.config.RingMode;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.IoUring;
import org.cabrank.lf.Ready;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Moments at which a receive of a shared ring is asked for. The test is the watcher, and decides on the completions. */
@Timeout(60)
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
        buffered = BufferedSet.open(TestKernel.any(), RingMode.SHARED);
        set = buffered.set();
        pair = new TcpPair(TestKernel.any());
        set.newHarvest(16);
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

    private void armByAnotherThread() throws Exception {
        FutureTask<Void> arming = new FutureTask<>(() -> requests.receive(false), null);
        new Thread(arming, "another").start();
        arming.get();
        assertAsked(1, "the receive");
    }

    private void leadForLong() throws IOException {
        for (int i = 0; i < RequestTakeover.TENURE_MIN; i++) {
            set.beginWatching();
            set.takeover().harvested(1);
        }
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
        assertEquals(asked, set.submissions().pending(), what);
    }

    @Test
    void leaderArmsAnewWhatAnotherThreadHasArmed() throws Exception {
        armByAnotherThread();
        leadForLong();
        complete(0);
        assertAsked(1, "its end");
        completeLast(-Errno.ECANCELED);
        assertAsked(1, "another receive");
        assertTrue(requests.isReceiving());
    }

    /**
     * A receive without a buffer needs none before there is data; ended, it would wait for one, and pieces of other connections
     * would be copied for it.
     */
    @Test
    void leaderLeavesAReceiveAloneThatCouldNotBeArmedAnew() throws Exception {
        armByAnotherThread();
        leadForLong();
        leaveFree(1);
        complete(0);
        assertAsked(0, "it has had the last buffer");
        assertTrue(requests.isReceiving());
        buffered.buffers().ring().recycle(1);
        complete(1);
        assertAsked(0, "it has had the last buffer again");
        buffered.buffers().ring().recycle(2);
        buffered.buffers().ring().recycle(3);
        complete(2);
        assertAsked(1, "its end");
    }

    @Test
    void receiveThatHasNoBufferToGoOnWithWaitsForOneWithoutAsking() throws Exception {
        armByAnotherThread();
        leadForLong();
        leaveFree(2);
        complete(0);
        assertAsked(1, "its end");
        buffered.buffers().ring().taken(1);
        completeLast(-Errno.ECANCELED);
        assertTakesAll();
        assertAsked(0, "there is no buffer");
        assertFalse(requests.isReceiving());
        buffered.buffers().rearmStarved();
        requests.receive(false);
        assertAsked(0, "there is no buffer still");
        buffered.buffers().ring().recycle(1);
        buffered.buffers().rearmStarved();
        assertAsked(1, "another receive");
        assertEquals(0, buffered.buffers().exhaustedCount(), "receives that the kernel had no buffer for");
    }

    /** As a claim holder, whose handler keeps the buffer. */
    private void assertTakesAll() {
        assertTrue(InboundQueue.isPiece(requests.inbound().poll()));
        assertTrue(requests.inbound().isEmpty());
    }

    /** The kernel was out of buffers before the receive was cancelled. */
    @Test
    void receiveThatStarvesWhileItIsTakenOverIsFedOnce() throws Exception {
        armByAnotherThread();
        leadForLong();
        leaveFree(2);
        complete(0);
        assertAsked(1, "its end");
        assertTakesAll();
        buffered.buffers().ring().taken(1);
        completeLast(-Errno.ENOBUFS);
        buffered.buffers().ring().recycle(1);
        buffered.buffers().rearmStarved();
        assertAsked(1, "another receive");
        completeLast(-Errno.ECANCELED);
        buffered.buffers().rearmStarved();
        assertAsked(0, "it does not starve any more");
    }

    @Test
    void receiveWhoseEndWasWantedIsNotGoneOnWith() throws Exception {
        armByAnotherThread();
        leadForLong();
        complete(0);
        assertAsked(1, "its end");
        requests.endReceiving();
        completeLast(-Errno.ECANCELED);
        assertAsked(0, "nobody wants it");
        requests.receive(false);
        assertAsked(1, "another receive");
    }

    @Test
    void receiveThatHasMetTheEndIsNotGoneOnWith() throws Exception {
        armByAnotherThread();
        leadForLong();
        leaveFree(2);
        complete(0);
        assertAsked(1, "its end");
        buffered.buffers().ring().taken(1);
        completeLast(0);
        buffered.buffers().rearmStarved();
        assertEquals(1, requests.inbound().size());
        assertFalse(CopiedPieces.isCopied(requests.inbound().poll()), "nobody waits for a buffer");
        buffered.buffers().ring().recycle(1);
        buffered.buffers().rearmStarved();
        assertAsked(0, "there is nothing more to come");
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
        armByAnotherThread();
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
        armByAnotherThread();
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

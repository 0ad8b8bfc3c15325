package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.calls.DescriptorOwner;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that several threads make of a ring. The test is the owner, and decides on the moments. */
@Timeout(300)
class ReliefRequestsTest {
    /** The completion queue has room for 32. */
    private static final int MORE_THAN_COMPLETIONS = 40;

    private static final int MORE_THAN_ONE_ENTRY = 200;

    private BufferedSet buffered;
    private TcpPair pair;
    private RingHandleSet set;
    private StreamRequests requests;

    /** Changes of what the epoll set watches. */
    private final AtomicInteger changes = new AtomicInteger();

    private volatile int failingChange;

    private volatile boolean takesNone;

    @BeforeEach
    void open() throws IOException {
        buffered = BufferedSet.openRelieved(new ForwardingKernel(TestKernel.any()) {
            @Override
            public int epollCtl(int epollFd, int operation, int fd, long event) {
                if (operation == Epoll.EPOLL_CTL_MOD && changes.incrementAndGet() == failingChange) {
                    throw new OutOfMemoryError("thrown on purpose");
                }
                return next().epollCtl(epollFd, operation, fd, event);
            }

            @Override
            public int ioUringEnter(int fd, int toSubmit, int wanted, int flags, long arg, long argBytes) {
                return next().ioUringEnter(fd, takesNone ? 0 : toSubmit, wanted, flags, arg, argBytes);
            }
        });
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

    private static void completed(List<Completion> completions, HandleRequests requests, int operation) {
        for (Completion completion : completions) {
            if (HandleRequests.operation(completion.userData()) == operation) {
                requests.completed(operation, completion.result(), completion.flags());
            }
        }
    }

    private void completed(List<Completion> completions) {
        completed(completions, requests, HandleRequests.RECV);
    }

    private void byAnotherThread(Runnable request) throws InterruptedException {
        inAnotherThread(() -> locked(request));
    }

    private static void inAnotherThread(Runnable work) throws InterruptedException {
        Thread other = new Thread(work, "other");
        other.start();
        other.join();
    }

    private void relieve() throws InterruptedException {
        relieve(set);
    }

    private static void relieve(RingHandleSet relieved) throws InterruptedException {
        inAnotherThread(() -> {
            relieved.turnBegins(false);
            relieved.deputyEnds();
        });
    }

    private void assertReads(boolean expected) {
        locked(() -> assertEquals(expected, set.readsAtOnce()));
    }

    /** An end that overtakes its receive finds nothing to end, and the receive would stay. */
    @Test
    void ownersRequestsComeBehindThoseThatOthersHaveMadeBefore() throws Exception {
        byAnotherThread(() -> requests.receive(false));
        assertEquals(0, set.ring().submissions().pending(), "the receive waits for the owner");
        locked(requests::endReceiving);
        set.beginWatching();
        List<Completion> completions = Rings.awaitSome(set.ring());
        completed(completions);
        assertFalse(requests.isReceiving(), "the receive has ended");
    }

    /** Bytes in the kernel's overflow list come before those in the sockets, and the owner alone gets them. */
    @Test
    void reliefReadsNoSocketWhileTheCompletionQueueHasOverflowed() throws Exception {
        Ring ring = set.ring();
        for (int i = 0; i < MORE_THAN_COMPLETIONS; i++) {
            Rings.addNop(ring, HandleRequests.anonymous(HandleRequests.CANCEL));
        }
        ring.submit();
        relieve();
        assertReads(false);
        relieve(); // by the next deputy: the queue has room now, and the list is not empty
        assertReads(false);
        set.turnBegins(true);
        assertReads(false);
        set.beginWatching();
        Rings.awaitSome(ring);
        relieve();
        assertReads(true);
        assertEquals(2, set.relief().takeovers());
        assertEquals(1, set.relief().blindTakeovers());
    }

    private void watch() throws IOException {
        set.relief().arrived(requests);
        set.relief().await(0);
    }

    @Test
    void reliefThatCouldNotBeginForWantOfMemoryReportsSocketsAnewWhenItBegins() throws Exception {
        relieve();
        watch();
        pair.send("x");
        assertEquals(1, set.relief().await(HandleSet.FOREVER));
        assertEquals(requests.handle(), set.relief().next());
        set.turnBegins(true);
        failingChange = 1;
        assertThrows(OutOfMemoryError.class, () -> set.turnBegins(false));
        set.turnBegins(false);
        assertEquals(2, changes.get());
    }

    private void enterByTheOwner() throws IOException {
        set.turnBegins(true);
        set.beginWatching();
        set.ring().reap();
        set.relief().noteEntered();
    }

    @Test
    void reportedConnectionsAreNotKeptWhenTheOwnerHasEntered() throws Exception {
        locked(() -> requests.receive(false));
        set.ring().submit();
        relieve();
        watch();
        pair.send("x");
        assertEquals(1, set.relief().await(HandleSet.FOREVER));
        assertEquals(requests.handle(), set.relief().next());
        assertTrue(requests.listed, "a deputy has harvested an event");
        enterByTheOwner();
        assertFalse(requests.listed);
    }

    /** The connection's reading was paused while the relief led. It has resumed since, and its receive is not submitted yet. */
    @Test
    void socketThatNoReceiveWasArmedForIsReportedAnew() throws Exception {
        relieve();
        watch();
        pair.send("x");
        assertEquals(1, set.relief().await(HandleSet.FOREVER));
        assertEquals(requests.handle(), set.relief().next());
        enterByTheOwner();
        locked(() -> requests.receive(false));
        relieve();
        assertEquals(1, set.relief().await(0));
    }

    @Test
    void socketWhoseEventTheReliefHasNotDispatchedIsReportedAnew() throws Exception {
        relieve();
        watch();
        pair.send("x");
        assertEquals(1, set.relief().await(HandleSet.FOREVER));
        enterByTheOwner();
        relieve();
        assertEquals(1, set.relief().await(0));
    }

    private void reportAndPause() throws Exception {
        relieve();
        watch();
        pair.send("x");
        assertEquals(1, set.relief().await(HandleSet.FOREVER));
        assertEquals(requests.handle(), set.relief().next());
        locked(requests::endReceiving);
        assertTrue(requests.listed, "a deputy has harvested an event");
    }

    @Test
    void pausedConnectionsCostNeitherAnEntryNorARelief() throws Exception {
        reportAndPause();
        enterByTheOwner();
        assertFalse(requests.listed);
        relieve();
        assertEquals(0, changes.get());
    }

    @Test
    void pausedConnectionsCostNoReliefIfTheOwnerHasNotEntered() throws Exception {
        reportAndPause();
        set.turnBegins(true);
        relieve();
        assertEquals(0, changes.get());
    }

    @Test
    void socketOfAResumedConnectionIsReportedAnew() throws Exception {
        reportAndPause();
        enterByTheOwner();
        locked(() -> requests.receive(false));
        relieve();
        assertEquals(1, set.relief().await(0));
    }

    /** Its thread has found no input before the relief, and asks for it during the relief. */
    @Test
    void socketOfAConnectionThatAsksForInputDuringTheReliefIsReportedAnew() throws Exception {
        reportAndPause();
        enterByTheOwner();
        relieve();
        assertEquals(0, set.relief().await(0));
        locked(() -> requests.receive(false));
        assertEquals(1, set.relief().await(0));
    }

    @Test
    void socketThatAwaitsRoomIsReportedWhenItHasSomeAlthoughAReceiveWasArmedMeanwhile() throws Exception {
        reportAndPause();
        locked(() -> set.awaitsRoom(requests));
        locked(() -> requests.receive(false));
        assertEquals(1, set.relief().await(0));
        assertEquals(requests.handle(), set.relief().next());
        assertEquals(Ready.WRITE, set.relief().ready() & Ready.WRITE);
    }

    /** io_uring_enter(2) may take fewer requests than it was given. */
    @Test
    void socketWhoseReceiveTheKernelHasNotTakenIsReportedAnew() throws Exception {
        relieve();
        watch();
        pair.send("x");
        assertEquals(1, set.relief().await(HandleSet.FOREVER));
        assertEquals(requests.handle(), set.relief().next());
        set.turnBegins(true);
        locked(() -> requests.receive(false));
        takesNone = true;
        enterByTheOwner();
        relieve();
        assertEquals(1, set.relief().await(0));
    }

    @Test
    void socketFromWhichASingleReceiveHasTakenOnePieceIsReportedAnew() throws Exception {
        locked(() -> requests.receive(true));
        set.ring().submit();
        relieve();
        watch();
        pair.send("x".repeat(BufferedSet.BUFFER_BYTES + 1));
        assertEquals(1, set.relief().await(HandleSet.FOREVER));
        assertEquals(requests.handle(), set.relief().next());
        enterByTheOwner();
        completed(Rings.takeAll(set.ring()));
        assertFalse(requests.isReceiving(), "it has brought one piece");
        relieve();
        assertEquals(1, set.relief().await(0));
    }

    @Test
    void socketWhoseReceiveHasEndedForLackOfBuffersIsReportedAnew() throws Exception {
        locked(() -> requests.receive(false));
        set.ring().submit();
        relieve();
        watch();
        pair.send("x".repeat(BufferedSet.BUFFERS * BufferedSet.BUFFER_BYTES + 1));
        assertEquals(1, set.relief().await(HandleSet.FOREVER));
        assertEquals(requests.handle(), set.relief().next());
        enterByTheOwner();
        completed(Rings.takeAll(set.ring()));
        assertFalse(requests.isReceiving(), "no buffer is left");
        relieve();
        assertEquals(1, set.relief().await(0));
    }

    /** A readable eventfd stands for the listening socket. */
    private RingHandle listenerWithConnections(boolean oneByOne) throws Exception {
        int fd = Errno.check("eventfd", set.kernel().eventfd(1, Events.EFD_CLOEXEC));
        RingHandle listener = new RingHandle(
                set,
                fd,
                Ready.READ,
                (own, ready) -> {},
                DescriptorOwner.CALLER,
                true,
                own -> new AcceptRequests(set, own, oneByOne, () -> set.kernel().close(fd)));
        set.table().add(listener.requests());
        set.relief().arrived(listener.requests());
        relieve();
        assertEquals(1, set.relief().await(0));
        assertEquals(listener, set.relief().next());
        return listener;
    }

    @Test
    void listenerWithoutAnArmedAcceptIsReportedAnew() throws Exception {
        HandleRequests accepts = listenerWithConnections(true).requests();
        enterByTheOwner();
        relieve();
        assertEquals(1, set.relief().await(0));
        locked(accepts::close);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void listenerWhoseAcceptHasEndedIsReportedAnew(boolean oneByOne) throws Exception {
        HandleRequests accepts = listenerWithConnections(oneByOne).requests();
        set.turnBegins(true);
        locked(accepts::arm);
        enterByTheOwner();
        completed(
                Rings.takeAll(set.ring()),
                accepts,
                HandleRequests.ACCEPT); // the kernel refuses an accept from an eventfd
        relieve();
        assertEquals(1, set.relief().await(0));
        locked(accepts::close);
    }

    /** Since Linux 6.13, one call may leave due receives to the next. Their bytes were reported to the relief before. */
    @Test
    void socketsThatTheOwnersEntryHasNotReceivedFromAreReportedAnew() throws Exception {
        RingOptions options = RingOptions.DEFAULT.withEntries(256, 512).withReceiveBuffers(256, 64);
        List<TcpPair> pairs = new ArrayList<>();
        try (BufferedSet many = BufferedSet.openRelieved(TestKernel.any(), options)) {
            RingHandleSet itsSet = many.set();
            Relief relief = itsSet.relief();
            itsSet.newHarvest();
            itsSet.beginWatching();
            for (int i = 0; i < MORE_THAN_ONE_ENTRY; i++) {
                TcpPair open = new TcpPair(TestKernel.any());
                pairs.add(open);
                RingHandle handle = new RingHandle(
                        itsSet, open.fd(), null, own -> new StreamRequests(itsSet, own, null, many.buffers(), false));
                StreamRequests receiving = (StreamRequests) handle.requests();
                itsSet.table().add(receiving);
                relief.arrived(receiving);
                receiving.receive(false);
            }
            itsSet.ring().submit();
            relieve(itsSet);
            relief.await(0);
            for (TcpPair each : pairs) {
                each.send("x");
            }
            assertEquals(MORE_THAN_ONE_ENTRY, harvestAll(relief));
            itsSet.turnBegins(true);
            itsSet.beginWatching();
            itsSet.ring().await(1, 0, HandleSet.FOREVER);
            relief.noteEntered();
            int received = itsSet.ring().completions().available();
            relieve(itsSet);
            assertEquals(MORE_THAN_ONE_ENTRY, received + harvestAll(relief), received + " received by the ring");
        } finally {
            for (TcpPair each : pairs) {
                each.close();
            }
        }
    }

    private static int harvestAll(Relief relief) throws IOException {
        int harvested = 0;
        while (relief.await(0) > 0) {
            while (relief.next() != null) {
                harvested++;
            }
        }
        return harvested;
    }

    /** The owner has not entered its ring between the two reliefs. */
    @Test
    void socketsThatNothingIsLeftInAreNotReportedAnew() throws Exception {
        relieve();
        watch();
        set.turnBegins(true);
        set.turnBegins(false);
        assertEquals(0, changes.get());
    }

    @Test
    void connectionsThatAwaitRoomAreNotifiedAtTheNextCallIfTheFirstFailsForWantOfMemory() throws Exception {
        relieve();
        watch();
        locked(() -> assertTrue(set.awaitsRoom(requests)));
        failingChange = 2;
        assertThrows(OutOfMemoryError.class, () -> set.turnBegins(true));
        set.turnBegins(true);
        assertEquals(3, changes.get());
        assertFalse(set.isRelieved());
    }
}

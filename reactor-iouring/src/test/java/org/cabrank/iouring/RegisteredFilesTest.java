package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.KnownFault;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.IoUringSqe;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.socket.contract.LogCapture;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.TestClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sockets have a place in the ring's table for as long as they live, and not longer; without one, all works as well. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class RegisteredFilesTest {
    private static final RingOptions REGISTERED = RingOptions.DEFAULT.withRegisteredFiles(true);

    private final FaultyRings rings = new FaultyRings(TestKernel.any());

    /** A submission about sockets, in few words. */
    private record Seen(int opcode, boolean byPlace, int file, int place) {
        static Seen of(ByteBuffer sqe) {
            int opcode = sqe.get(IoUringSqe.OPCODE_OFFSET);
            return new Seen(
                    opcode,
                    (sqe.get(IoUringSqe.FLAGS_OFFSET) & IoUring.IOSQE_FIXED_FILE) != 0,
                    sqe.getInt(IoUringSqe.FD_OFFSET),
                    opcode == IoUring.IORING_OP_FILES_UPDATE
                            ? (int) sqe.getLong(IoUringSqe.OFF_OFFSET)
                            : sqe.getInt(IoUringSqe.FILE_INDEX_OFFSET) - 1);
        }

        boolean isOf(int wanted) {
            return opcode == wanted;
        }

        boolean isClose(boolean ofPlace) {
            return opcode == IoUring.IORING_OP_CLOSE && place >= 0 == ofPlace;
        }

        /** Of a socket: what a ring tries out when it is opened names none. */
        boolean isTransfer() {
            return file >= 0 && (opcode == IoUring.IORING_OP_RECV || opcode == IoUring.IORING_OP_SEND);
        }
    }

    /** Skips the test where the kernel has {@link KnownFault#FILES_KEPT_OPEN} and places are wanted. */
    private FaultyServer start(RingOptions options) throws IOException {
        assumeTrue(!options.registeredFiles() || arePlacesUsed(), KnownFault.FILES_KEPT_OPEN.remedy());
        return startAnywhere(options);
    }

    private static boolean arePlacesUsed() throws IOException {
        try (BufferedSet opened = BufferedSet.open(TestKernel.any(), REGISTERED)) {
            return opened.set().registeredFiles().places() > 0;
        }
    }

    /** Submissions of connections and listeners, without those by which a ring tries the kernel. */
    private void showOfSockets(Consumer<ByteBuffer> observer) {
        rings.showSubmissions(sqe -> {
            if (HandleRequests.slot(sqe.getLong(IoUringSqe.USER_DATA_OFFSET)) >= 0) {
                observer.accept(sqe);
            }
        });
    }

    private FaultyServer startAnywhere(RingOptions options) throws IOException {
        return FaultyServer.start(rings, options, StreamReactor.builder());
    }

    /** Echoes; what begins with {@code c} is answered by a close, with {@code a} by an abort. */
    private static ConnectionHandler echo() {
        return (connection, data) -> {
            byte first = data.get(data.position());
            connection.write(data);
            if (first == 'c') {
                connection.close();
            } else if (first == 'a') {
                connection.abort();
            }
        };
    }

    /**
     * Contents of the table according to the kernel: io_uring's part of proc_pid_fdinfo(5). It says nothing while a thread has
     * the ring's
     * lock, perhaps still when the peer has its answer: then this is -1, or on older kernels 0, and is to be asked again.
     */
    private static long placesInUse(FaultyServer server) {
        try (Stream<String> lines =
                Files.lines(Path.of("/proc/self/fdinfo/" + server.rings().ringFd()))) {
            List<String> table = lines.dropWhile(line -> !line.startsWith("UserFiles:"))
                    .takeWhile(line -> !line.startsWith("UserBufs:"))
                    .toList();
            return table.isEmpty()
                    ? -1
                    : table.stream().filter(line -> line.matches(" *\\d+: .+")).count();
        } catch (IOException gone) {
            throw new UncheckedIOException(gone);
        }
    }

    /** To a socket that was closed, nothing can be written. */
    private static boolean isReset(SocketChannel peer) {
        try {
            peer.write(ByteBuffer.allocate(1));
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    // ---- the life of a place ----

    @Test
    void socketTakesItsPlaceUsesItAndLeavesItBeforeItIsClosed() throws Exception {
        Queue<Seen> all = new ConcurrentLinkedQueue<>();
        rings.showSubmissions(sqe -> all.add(Seen.of(sqe)));
        try (FaultyServer server = start(REGISTERED)) {
            TestClient client = TestClient.connect(server.listen(echo()));
            client.send("one").expect("one").send("two").expect("two").send("c").expect("c");
            client.expectEnd().close();
            server.awaitOnlyListeners(1);
            assertEquals(1, server.set().registeredFiles().takenCount());
            assertEquals(0, server.set().registeredFiles().refusedCount());
        }
        List<Seen> seen = all.stream() // without the trials of the ring
                .dropWhile(one -> !one.isOf(IoUring.IORING_OP_ACCEPT))
                .toList();
        List<Seen> taken = seen.stream()
                .filter(one -> one.isOf(IoUring.IORING_OP_FILES_UPDATE))
                .toList();
        List<Seen> left = seen.stream().filter(one -> one.isClose(true)).toList();
        List<Seen> closed = seen.stream().filter(one -> one.isClose(false)).toList();
        List<Seen> transfers = seen.stream().filter(Seen::isTransfer).toList();
        assertEquals(1, taken.size(), seen::toString);
        assertEquals(1, left.size(), seen::toString);
        assertEquals(1, closed.size(), seen::toString);
        assertTrue(transfers.size() >= 4, seen::toString);
        int place = taken.get(0).place();
        assertEquals(place, left.get(0).place());
        assertTrue(transfers.stream().allMatch(one -> one.byPlace() && one.file() == place), seen::toString);
        assertTrue(seen.indexOf(taken.get(0)) < seen.indexOf(transfers.get(0)), seen::toString);
        assertTrue(seen.lastIndexOf(transfers.get(transfers.size() - 1)) < seen.indexOf(left.get(0)), seen::toString);
        assertTrue(seen.indexOf(left.get(0)) < seen.indexOf(closed.get(0)), seen::toString);
    }

    @Test
    void placeIsInTheTableWhileItsSocketLivesAndNotLonger() throws Exception {
        try (FaultyServer server = start(REGISTERED)) {
            SocketAddress address = server.listen(echo());
            for (int round = 0; round < 20; round++) {
                List<TestClient> clients = new ArrayList<>();
                for (int i = 0; i < 5; i++) {
                    clients.add(TestClient.connect(address).send("x").expect("x"));
                }
                Await.until("all have a place", () -> placesInUse(server) == clients.size());
                clients.get(0).send("c").expect("c").expectEnd().close();
                clients.get(1).send("a").readAndForget();
                clients.get(1).close();
                clients.get(2).endOutput().expectEnd().close();
                clients.get(3).reset();
                clients.get(4).close();
                Await.until("no place is taken", () -> placesInUse(server) == 0);
                server.awaitOnlyListeners(1);
            }
            assertEquals(100, server.set().registeredFiles().takenCount());
        }
    }

    // ---- without a place ----

    private void exchangeByDescriptor(FaultyServer server) throws Exception {
        byte[] much = new byte[1 << 20]; // in several chunks
        for (int round = 0; round < 3; round++) {
            try (TestClient client = TestClient.connect(server.listen(echo()))) {
                client.send("one").expect("one").send("two").expect("two");
                TestThread sender = TestThread.start("sender", () -> client.send(much));
                client.read(much.length);
                sender.join();
                client.send("c").expect("c").expectEnd();
            }
            server.awaitOnlyListeners(round + 1);
        }
    }

    /** Linux 6.13 refers to a single file, and has messages without a ring; no fault is known of later kernels. */
    @Test
    void placesAreUsedSinceLinux613() throws IOException {
        try (Ring ring = Rings.open(TestKernel.any(), Rings.SMALL)) {
            assertEquals(ring.features().messageRegister(), arePlacesUsed());
        }
    }

    /** As if the kernel kept the file of the trial open. */
    @Test
    void ringGoesByDescriptorsWhereTheKernelKeepsFilesOpenAfterTheirEnd() throws Exception {
        rings.showSubmissions(sqe -> {
            Seen seen = Seen.of(sqe);
            if (seen.isClose(true) && seen.place() == 1) {
                sqe.put(IoUringSqe.OPCODE_OFFSET, (byte) IoUring.IORING_OP_NOP);
            }
        });
        try (LogCapture log = new LogCapture(RegisteredFiles.class);
                FaultyServer server = startAnywhere(REGISTERED)) {
            exchangeByDescriptor(server);
            assertEquals(0, server.set().registeredFiles().takenCount());
            assertEquals(0, server.set().registeredFiles().beyondCount());
            String description = server.reactor().reactor().backendDescription();
            assertTrue(description.contains("registered files: not used, this kernel keeps"), description);
            assertEquals(1, log.warnings().size(), log.warnings()::toString);
            assertTrue(log.warnings().get(0).contains("use Linux 6.13"), log.warnings()::toString);
        }
    }

    /** The kernel puts the file nowhere. */
    @Test
    void socketGoesByItsDescriptorWhenItsPlaceIsRefused() throws Exception {
        showOfSockets(sqe -> {
            if (sqe.get(IoUringSqe.OPCODE_OFFSET) == IoUring.IORING_OP_FILES_UPDATE) {
                sqe.putLong(IoUringSqe.OFF_OFFSET, RegisteredFiles.PLACES_MAX); // EINVAL
            }
        });
        try (FaultyServer server = start(REGISTERED)) {
            exchangeByDescriptor(server);
            assertTrue(server.set().registeredFiles().refusedCount() >= 3);
            assertTrue(server.reactor().failureCount() >= 3, "it is told");
        }
    }

    /** The kernel says that it has put the file there, and it is not: only the requests that name the place tell. */
    @Test
    void requestsOfAnEmptyPlaceAreMadeAgainByTheDescriptor() throws Exception {
        ByteBuffer nothing = ByteBuffer.allocateDirect(Integer.BYTES)
                .order(ByteOrder.nativeOrder())
                .putInt(0, -1);
        long address = rings.addressOf(nothing);
        Queue<Seen> transfers = new ConcurrentLinkedQueue<>();
        showOfSockets(sqe -> {
            Seen seen = Seen.of(sqe);
            if (seen.isOf(IoUring.IORING_OP_FILES_UPDATE)) {
                sqe.putLong(IoUringSqe.ADDR_OFFSET, address);
            } else if (seen.isTransfer()) {
                transfers.add(seen);
            }
        });
        try (FaultyServer server = start(REGISTERED)) {
            exchangeByDescriptor(server);
            assertEquals(3, server.set().registeredFiles().refusedCount(), "one receive of each connection");
        }
        assertEquals(3, transfers.stream().filter(Seen::byPlace).count(), transfers::toString);
    }

    @Test
    void sendToAPlaceThatWasEmptiedGoesAgainByTheDescriptor() throws Exception {
        Queue<Integer> emptied = new ConcurrentLinkedQueue<>();
        showOfSockets(sqe -> {
            Seen seen = Seen.of(sqe);
            if (seen.isOf(IoUring.IORING_OP_SEND) && seen.byPlace()) {
                sqe.putInt(IoUringSqe.FD_OFFSET, RegisteredFiles.PLACES_MAX); // there is none: EBADF
                emptied.add(seen.file());
            }
        });
        try (FaultyServer server = start(REGISTERED)) {
            exchangeByDescriptor(server);
            assertEquals(3, emptied.size(), "one send of each connection");
            assertEquals(3, server.set().registeredFiles().refusedCount());
        }
    }

    @Test
    void socketsForWhichTheTableIsTooShortGoByTheirDescriptors() throws Exception {
        rings.descriptorsMax(2); // the listener's slot, and one
        try (FaultyServer server = start(REGISTERED)) {
            SocketAddress address = server.listen(echo());
            TestClient first = TestClient.connect(address).send("x").expect("x");
            List<TestClient> others = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                others.add(TestClient.connect(address).send("y").expect("y"));
            }
            RegisteredFiles files = server.set().registeredFiles();
            assertEquals(2, files.places());
            assertEquals(1, files.takenCount());
            assertEquals(3, files.beyondCount());
            Await.until("only the first has a place", () -> placesInUse(server) == 1);
            first.send("c").expect("c").expectEnd().close();
            Await.until("the place is free", () -> placesInUse(server) == 0);
            Await.until("so is its slot", () -> server.set().table().live() == 4);
            others.add(TestClient.connect(address).send("z").expect("z"));
            assertEquals(2, files.takenCount(), "the place is given out again");
            for (TestClient other : others) {
                other.send("c").expect("c").expectEnd().close();
            }
            server.awaitOnlyListeners(1);
            assertEquals(0, files.refusedCount());
        }
    }

    @Test
    void ringWorksWithoutATableThatTheKernelRefuses() throws Exception {
        rings.refuseRegister(IoUring.IORING_REGISTER_FILES2);
        try (LogCapture log = new LogCapture(RegisteredFiles.class);
                FaultyServer server = startAnywhere(REGISTERED)) {
            exchangeByDescriptor(server);
            assertEquals(0, server.set().registeredFiles().takenCount());
            assertEquals(0, server.set().registeredFiles().beyondCount());
            String description = server.reactor().reactor().backendDescription();
            assertTrue(description.contains("registered files: refused with EINVAL"), description);
            assertEquals(1, log.warnings().size(), log.warnings()::toString);
            assertTrue(log.warnings().get(0).contains("go by descriptors"), log.warnings()::toString);
        }
    }

    @Test
    void ringHasNoTableUnlessItIsAskedFor() throws Exception {
        Queue<Seen> byPlace = new ConcurrentLinkedQueue<>();
        rings.showSubmissions(sqe -> {
            if (Seen.of(sqe).byPlace()) {
                byPlace.add(Seen.of(sqe));
            }
        });
        try (FaultyServer server = start(RingOptions.DEFAULT.withRegisteredFiles(false))) {
            exchangeByDescriptor(server);
            assertEquals(0, server.set().registeredFiles().places());
        }
        assertEquals(List.of(), List.copyOf(byPlace));
    }

    // ---- the end ----

    /** The table must not keep the socket: nothing else happens in this ring that would end it. */
    @Test
    void peerSeesTheEndWhenItsConnectionIsClosed() throws Exception {
        try (FaultyServer server = start(REGISTERED)) {
            SocketAddress address = server.listen(echo());
            for (int i = 0; i < 20; i++) {
                TestClient.connect(address).send("c").expect("c").expectEnd().close();
                TestClient aborted = TestClient.connect(address).send("a");
                aborted.expectReset();
                aborted.close();
            }
            server.awaitOnlyListeners(1);
        }
    }

    /** The kernel takes the ring apart some time after it was closed; what is reset at the end does not wait for that. */
    @Test
    void peersAreResetBeforeTheRingIsClosed() throws Exception {
        assumeTrue(arePlacesUsed(), KnownFault.FILES_KEPT_OPEN.remedy());
        List<TestClient> clients = new ArrayList<>();
        List<TestClient> reset = new ArrayList<>();
        rings.beforeRingCloses(() -> {
            for (TestClient client : clients) {
                Await.until("the peer is reset", () -> isReset(client.channel()));
                reset.add(client);
            }
        });
        StreamReactor.Builder impatient = StreamReactor.builder().drainTimeout(Duration.ZERO);
        try (FaultyServer server = FaultyServer.start(rings, REGISTERED, impatient)) {
            SocketAddress address = server.listen(echo());
            for (int i = 0; i < 5; i++) {
                TestClient client = TestClient.connect(address).send("x").expect("x");
                client.channel().configureBlocking(false);
                clients.add(client);
            }
            Await.until("all have a place", () -> placesInUse(server) == 5);
        }
        assertEquals(clients, reset);
        for (TestClient client : clients) {
            client.close();
        }
    }
}

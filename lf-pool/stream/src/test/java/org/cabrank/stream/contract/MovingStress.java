package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;

/**
 * Connections that are moved to and fro while their peers talk: what each says names it and is numbered, so a byte that is lost,
 * doubled, overtaken or given to another connection is found where it happens. {@link Modes#stressTime()} is how long, and
 * then until a connection has been moved, for which an emulated machine may need longer.
 */
public abstract class MovingStress extends StreamContract {
    private static final long STRESS_NS = Modes.stressTime().toNanos();

    private static final int CLIENTS = 6;

    /** Maximum number of bytes under way at once. */
    private static final int AHEAD_MAX = 40_000;

    /** The byte that this client sends at a position; it differs from neighbouring positions and from other clients. */
    private static byte said(int client, long at) {
        return (byte) (at * 31 + (at >>> 8) * 7 + client * 101);
    }

    /** One peer: says, reads what comes back, and compares. The answer: how many bytes it has exchanged. */
    private static long talk(TestClient client, int number, BooleanSupplier goesOn) throws IOException {
        Random random = new Random(number);
        long sent = 0;
        long read = 0;
        do { // at least once: the time may be up before this thread begins
            int count = 1 + (random.nextInt(4) == 0 ? random.nextInt(AHEAD_MAX) : random.nextInt(100));
            byte[] piece = new byte[count];
            for (int i = 0; i < count; i++) {
                piece[i] = said(number, sent++);
            }
            client.send(piece);
            int leftBehind = random.nextInt(2) == 0 ? 0 : (int) Math.min(sent - read, random.nextInt(1_000));
            for (byte answered : client.read((int) (sent - read) - leftBehind)) {
                assertEquals(said(number, read), answered, "client " + number + ", byte " + read);
                read++;
            }
        } while (goesOn.getAsBoolean());
        client.endOutput();
        for (byte answered : client.readToEnd()) {
            assertEquals(said(number, read), answered, "client " + number + ", byte " + read);
            read++;
        }
        assertEquals(sent, read);
        return read;
    }

    @Test
    void noByteIsLostDoubledOrOvertakenWhileConnectionsMove() throws Exception {
        long startNs = System.nanoTime();
        AtomicLong moved = new AtomicLong();
        BooleanSupplier goesOn = () -> System.nanoTime() - startNs < (moved.get() == 0 ? Await.PATIENCE_NS : STRESS_NS);
        Queue<Connection> connections = new ConcurrentLinkedQueue<>();
        List<Recorder> recorders = new ArrayList<>();
        TestReactor reactor = start(StreamReactor.builder());
        SocketAddress address = reactor.listen(() -> {
            Recorder recorder = new Recorder((connection, data) -> connection.write(data));
            synchronized (recorders) {
                recorders.add(recorder);
            }
            return new Opening(recorder, connections);
        });
        List<CompletableFuture<Long>> talks = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            int number = i;
            TestClient client = client(address);
            talks.add(started(() -> talk(client, number, goesOn)));
        }
        CompletableFuture<Long> mover = started(() -> move(connections, talks, moved));
        for (CompletableFuture<Long> talk : talks) {
            assertTrue(talk.get() > 0);
        }
        assertTrue(mover.get() > 0, "none was moved");
        reactor.awaitClosed(CLIENTS);
        assertEquals(0, reactor.failureCount());
        assertEquals(0, recorders.stream().mapToInt(Recorder::overlaps).sum());
    }

    private static long move(Queue<Connection> connections, List<CompletableFuture<Long>> talks, AtomicLong moved) {
        while (!talks.stream().allMatch(CompletableFuture::isDone)) {
            List<CompletableFuture<Boolean>> moves = new ArrayList<>();
            for (Connection connection : connections) {
                moves.add(connection.moveTo(1 - connection.shard()));
            }
            moved.addAndGet(moves.stream().filter(CompletableFuture::join).count());
        }
        return moved.get();
    }

    private interface Step {
        long run() throws Exception;
    }

    private static CompletableFuture<Long> started(Step step) {
        CompletableFuture<Long> done = new CompletableFuture<>();
        new Thread(() -> {
                    try {
                        done.complete(step.run());
                    } catch (Throwable failed) {
                        done.completeExceptionally(failed);
                    }
                })
                .start();
        return done;
    }

    /** Tells of its connection when it stands. */
    private static final class Opening extends Recorder {
        private final Queue<Connection> connections;

        Opening(Recorder next, Queue<Connection> connections) {
            super(next);
            this.connections = connections;
        }

        @Override
        public void opened(Connection connection) throws Exception {
            super.opened(connection);
            connections.add(connection);
        }
    }
}

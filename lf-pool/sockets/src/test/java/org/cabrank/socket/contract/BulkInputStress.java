package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bulk input of several connections whose handlers pause reading, leave bytes unread, hand work away and move: every byte is
 * checked, and every frame answered with its sum.
 *
 * <p>{@code cabrank.stress.seconds} is how long each mode takes; {@code cabrank.soak.seconds}, where it is set, is how long all
 * modes take together. {@code cabrank.stress.seed} repeats the sizes and contents of frames.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
@Timeout(24 * 60 * 60)
public abstract class BulkInputStress extends StreamContract {
    private static final int CONNECTIONS = 4;
    private static final int ONE_OF_MOVED = 3;
    private static final long LOOK_MS = 10;

    @Parameter
    protected ReactorMode mode;

    private final long seed = Long.getLong("cabrank.stress.seed", System.nanoTime());
    private final BulkHandler.Counts counts = new BulkHandler.Counts();
    private final LinkedBlockingQueue<Connection> paused = new LinkedBlockingQueue<>();
    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();

    /** Modes of {@code all} to run: all of them in a soak, else those that differ most. */
    protected static Stream<ReactorMode> of(Stream<ReactorMode> all, Predicate<String> differsMost) {
        boolean soak = Long.getLong("cabrank.soak.seconds") != null;
        return Modes.reactors(all.filter(mode -> soak || differsMost.test(mode.name())));
    }

    /** Number of modes that share {@code cabrank.soak.seconds}. */
    protected abstract int modeCount();

    @Override
    protected final ReactorMode mode() {
        return mode;
    }

    @Test
    void everyByteOfEveryFrameIsReadOnceAndInOrder() throws Exception {
        TestReactor reactor = start();
        AtomicInteger accepted = new AtomicInteger();
        SocketAddress address = reactor.listen(
                () -> new BulkHandler(seed + accepted.getAndIncrement(), mode.shards(), counts, paused, errors));
        long startNs = System.nanoTime();
        long durationNs = Modes.stressTime(modeCount()).toNanos();
        BooleanSupplier goesOn = () -> {
            long passedNs = System.nanoTime() - startNs;
            boolean wanted = passedNs < durationNs || !counts.areComplete() && passedNs < Await.PATIENCE_NS;
            return wanted && errors.isEmpty();
        };
        List<Thread> clients = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            BulkClient client = new BulkClient(client(address), seed + i);
            int number = i;
            Await.until("it was accepted, and is served with its own seed", () -> accepted.get() > number);
            clients.add(started("sender-" + i, () -> client.send(goesOn)));
            clients.add(started("comparer-" + i, client::compare));
        }
        serveUntilEnded(clients, startNs + durationNs + 2 * Await.PATIENCE_NS);
        reactor.awaitClosed(CONNECTIONS);
        assertEquals(List.of(), List.copyOf(errors), this::run);
        assertTrue(counts.areComplete(), this::run);
        assertEquals(0, reactor.failureCount(), this::run);
    }

    /** Resumes reading of connections that were paused, and moves some of them. */
    private void serveUntilEnded(List<Thread> clients, long latestNs) throws Exception {
        int shard = 0;
        while (errors.isEmpty() && clients.stream().anyMatch(Thread::isAlive)) {
            if (System.nanoTime() - latestNs > 0) {
                errors.add(new AssertionError("clients do not end"));
            }
            Connection connection = paused.poll(LOOK_MS, TimeUnit.MILLISECONDS);
            if (connection != null) {
                shard++;
                if (shard % ONE_OF_MOVED == 0) {
                    connection.moveTo(shard % mode.shards());
                }
                connection.resumeReading();
            }
        }
        if (!errors.isEmpty()) {
            closeWhatWasOpened(); // ends the clients
        }
        for (Thread client : clients) {
            client.join();
        }
        assertEquals(List.of(), List.copyOf(errors), this::run);
    }

    private interface Body {
        void run() throws Exception;
    }

    private Thread started(String name, Body body) {
        Thread thread = new Thread(
                () -> {
                    try {
                        body.run();
                    } catch (Throwable failed) {
                        errors.add(failed);
                    }
                },
                name);
        thread.start();
        return thread;
    }

    private String run() {
        return mode + ": " + counts + "; seed " + seed;
    }
}

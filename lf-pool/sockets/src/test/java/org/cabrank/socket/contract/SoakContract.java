package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.TaskQueue;
import org.cabrank.lf.Timers;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A soak with a ledger of each byte and event. Connections come, go, stand still, end halfway, are reset and are moved; handlers
 * echo, sleep, wait, hand work away, throw and overflow the stack; suppliers of handlers throw; tasks and timers run in the
 * same threads. At the end nothing is lost, nothing is doubled, and the process holds what it held at the start.
 *
 * <p>{@code cabrank.stress.seconds} is how long each mode takes; {@code cabrank.soak.seconds}, where it is set, is how long
 * all modes take together. {@code cabrank.stress.seed} repeats what clients do. Each mode prints one line that begins with
 * {@value #LINE}.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
@Timeout(24 * 60 * 60)
public abstract class SoakContract {
    /** Begins the line of each mode; scripts/test repeats such lines at its end. */
    static final String LINE = "ledger: ";

    private static final int CLIENTS = 6;
    private static final int REFUSED_IN = 400;
    private static final int TASK_QUEUE_CAPACITY = 1_024;
    private static final long PRODUCER_PAUSE_NS = 100_000;

    /** Tolerance for memory of the JVM and of the test's threads, and for chunks that a class keeps for the next reactor. */
    private static final long DIRECT_BYTES_SLACK = 1 << 20;

    /** Time in which a pool that grows ends a thread that is not needed any more. */
    private static final Duration UNNEEDED = Duration.ofMinutes(2);

    private static final int COLLECTIONS_UNCHANGED = 3;
    private static final long COLLECTION_PAUSE_NS = 10_000_000;

    private static final BufferPoolMXBean DIRECT = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
            .filter(pool -> pool.getName().equals("direct"))
            .findFirst()
            .orElseThrow();

    @Parameter
    protected ReactorMode mode;

    private final long seed = Long.getLong("cabrank.stress.seed", System.nanoTime());
    private final SoakLedger ledger = new SoakLedger();
    private final AtomicInteger numbers = new AtomicInteger();
    private final AtomicBoolean over = new AtomicBoolean();
    private long takeovers;

    /** Modes of {@code all} to run: all of them in a soak, else those that differ most. */
    protected static Stream<ReactorMode> of(Stream<ReactorMode> all, Predicate<String> differsMost) {
        boolean soak = Long.getLong("cabrank.soak.seconds") != null;
        return Modes.reactors(all.filter(mode -> soak || differsMost.test(mode.name())));
    }

    /** Number of modes that share {@code cabrank.soak.seconds}. */
    protected abstract int modeCount();

    @Test
    void nothingIsLostOrDoubledAndTheProcessHoldsWhatItHeldAtTheStart() throws Exception {
        int descriptors = OpenDescriptors.count();
        long direct = directMemoryInUse();
        try (SoakLog log = new SoakLog(ledger)) {
            soakReactor(log);
        } finally {
            ledger.close();
        }
        ledger.await("all descriptors are given back", () -> OpenDescriptors.count() <= descriptors);
        ledger.await("all direct memory is given back", () -> directMemoryInUse() <= direct + DIRECT_BYTES_SLACK);
        System.out.println(LINE + mode.provider().name() + " " + mode + ": " + ledger + "; " + takeovers
                + " takeovers; descriptors " + descriptors
                + " before and " + OpenDescriptors.count() + " after, direct memory " + (direct >> 10)
                + " KiB before and "
                + (DIRECT.getMemoryUsed() >> 10) + " KiB after; seed " + seed);
        assertEquals(List.of(), List.copyOf(ledger.errors()), this::run);
        assertTrue(ledger.comparedBytes.get() > 0 && ledger.tasksRun.get() > 0, this::run);
    }

    /** A method of its own: no variable may hold the reactor when its memory is asked for. */
    private void soakReactor(SoakLog log) throws Exception {
        try (TestReactor reactor = TestReactor.start(mode, StreamReactor.builder())) {
            soak(reactor);
        }
        log.flush();
    }

    private void soak(TestReactor reactor) throws Exception {
        SocketAddress address = reactor.listen(this::handler);
        int listening = OpenDescriptors.count();
        int threads = threadCount(reactor);
        List<SoakClient> clients = new ArrayList<>();
        List<Thread> running = new ArrayList<>();
        long untilNs = System.nanoTime() + Modes.stressTime(modeCount()).toNanos();
        for (int i = 0; i < CLIENTS; i++) {
            SoakClient client = new SoakClient(address, ledger, new Random(seed + i));
            clients.add(client);
            running.add(started("client-" + i, () -> {
                while (goesOn(untilNs)) {
                    client.converse(numbers.getAndIncrement());
                }
            }));
        }
        Thread producer = started("producer", () -> produce(reactor));
        for (Thread client : running) {
            join(client, untilNs);
        }
        over.set(true);
        join(producer, untilNs);
        clients.forEach(SoakClient::end);
        // Accepted behind all other connections.
        TestClient.connect(address).endOutput().expectEnd().close();
        ledger.connected.incrementAndGet();
        ledger.awaitBalance();
        ledger.await("only listeners have descriptors", () -> OpenDescriptors.count() <= listening);
        ledger.await("failures are counted", () -> reactor.failureCount() >= ledger.thrown.get());
        long served = ledger.opened.get() + ledger.refused.get();
        if (served > ledger.connected.get() || served < ledger.answered.get()) {
            ledger.error(served + " connections were served");
        }
        expect("connections closed", ledger.opened.get(), ledger.closed.get());
        expect("failures", ledger.thrown.get(), reactor.failureCount());
        if (mode.threads() > 0) {
            expect("threads", threads, threadCount(reactor));
        } else if (Long.getLong("cabrank.soak.seconds") != null) { // a thread that was added ends within two minutes
            Await.until(UNNEEDED.plus(Await.PATIENCE), () -> threadCount(reactor) == threads);
            expect("threads", PoolConfig.GROWING_FROM * mode.shards(), threadCount(reactor));
        }
        expect("bytes that came back", ledger.sentBytes.get(), ledger.comparedBytes.get());
        if (ledger.seenRefused.get() > ledger.refused.get()) {
            ledger.error(ledger.seenRefused + " connections ended before their first answer");
        }
        for (LeaderFollowersPool pool : reactor.reactor().pools()) {
            takeovers += pool.counters().takeovers();
            if (pool.failure() != null) {
                ledger.error(pool + " has failed: " + pool.failure());
            }
        }
    }

    /** Longer on a machine where the time was up before any client or task had its turn. */
    private boolean goesOn(long untilNs) {
        boolean idle = ledger.comparedBytes.get() == 0 || ledger.tasksRun.get() == 0;
        return (idle || System.nanoTime() - untilNs < 0) && ledger.errors().isEmpty();
    }

    private void expect(String what, long expected, long actual) {
        if (expected != actual) {
            ledger.error(what + ": expected " + expected + ", but counted " + actual);
        }
    }

    private ConnectionHandler handler() {
        if (new Random(seed + numbers.get()).nextInt(REFUSED_IN) == 0) {
            if (ledger.refused.incrementAndGet() % 2 == 0) {
                throw ledger.outOfMemoryOnPurpose();
            }
            throw ledger.onPurpose();
        }
        return new SoakHandler(ledger, mode.shards());
    }

    private static int threadCount(TestReactor reactor) {
        return reactor.reactor().pools().stream()
                .mapToInt(pool -> pool.threads().size())
                .sum();
    }

    /** Tasks and timers in the threads that serve the connections. */
    private void produce(TestReactor reactor) {
        Random random = new Random(seed);
        List<HandleSet> sets = reactor.reactor().pools().stream()
                .flatMap(pool -> pool.handleSets().stream())
                .toList();
        List<TaskQueue> queues = sets.stream()
                .map(set -> new TaskQueue(set, "soak", TASK_QUEUE_CAPACITY))
                .toList();
        while (!over.get()) {
            int shard = random.nextInt(sets.size());
            int kind = random.nextInt(200);
            if (random.nextInt(4) == 0) {
                ledger.timersSet.incrementAndGet();
                Runnable timer = ledger.once("a timer", ledger.timersRun, () -> act(kind));
                new Timers(sets.get(shard)).after(Duration.ofNanos(random.nextInt(3_000_000)), expired -> timer.run());
            } else {
                ledger.tasksAccepted.incrementAndGet();
                if (!queues.get(shard).offer(ledger.once("a task", ledger.tasksRun, () -> act(kind)))) {
                    ledger.tasksAccepted.decrementAndGet();
                }
            }
            LockSupport.parkNanos(PRODUCER_PAUSE_NS);
        }
        ledger.awaitTasks();
        queues.forEach(TaskQueue::close);
    }

    private void act(int kind) {
        switch (kind) {
            case 0 -> throw ledger.onPurpose();
            case 1 -> throw ledger.outOfMemoryOnPurpose();
            case 2 -> ledger.overflowStackOnPurpose();
            case 3 -> LockSupport.parkNanos(2_000_000);
            default -> Thread.onSpinWait();
        }
    }

    private Thread started(String name, Runnable work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (Throwable failure) {
                        ledger.error(name + ": " + failure);
                    }
                },
                name);
        thread.start();
        return thread;
    }

    private void join(Thread thread, long untilNs) throws InterruptedException {
        thread.join(Math.max(1, (untilNs + 2 * Await.PATIENCE_NS - System.nanoTime()) / 1_000_000));
        if (thread.isAlive()) {
            ledger.error(thread.getName() + " waits in " + thread.getStackTrace()[0]);
            over.set(true);
            thread.interrupt(); // closes its channel
            thread.join();
        }
    }

    /** Bytes in use when garbage collections free no more; buffers are freed by a thread of the JVM some time after each. */
    private static long directMemoryInUse() {
        long least = Long.MAX_VALUE;
        for (int unchanged = 0; unchanged < COLLECTIONS_UNCHANGED; unchanged++) {
            System.gc();
            LockSupport.parkNanos(COLLECTION_PAUSE_NS);
            long used = DIRECT.getMemoryUsed();
            if (used < least) {
                least = used;
                unchanged = 0;
            }
        }
        return least;
    }

    private String run() {
        return "-Dcabrank.stress.seed=" + seed + " " + mode + ": " + ledger + " " + ledger.errors();
    }
}

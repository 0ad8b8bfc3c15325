package org.cabrank.lf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Ready;
import org.cabrank.lf.leadership.Parking;
import org.cabrank.lf.leadership.Watcher;

/** One pool under fire for a while. What it found stands in {@link #violations}. */
final class StressRun {
    static final int HANDLES = 12;

    /** The first of them are concurrent. */
    private static final int SHARED_HANDLES = 2;

    private static final int WORKERS = 2;
    private static final int LAST_EVENTS = 40;
    private static final int PRODUCERS = 2;
    private static final int INBOX_MAX = 32;

    /** Time after which an unused thread of a growing pool ends: short, so that threads end and are added many times in a run. */
    private static final long UNUSED_NS = 3_000_000;

    final LeaderFollowersPool pool;

    /** Those to whom handlers hand work away. */
    final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);

    /** A thread of the pool is still to die. */
    final AtomicBoolean fatalityDue;

    final Queue<String> violations = new ConcurrentLinkedQueue<>();

    private final StressMode mode;
    private final long seed;
    private final AtomicReferenceArray<MemoryHandle> places = new AtomicReferenceArray<>(HANDLES);
    private final Queue<MemoryHandle> everyHandle = new ConcurrentLinkedQueue<>();
    private final Queue<MemoryHandle> toReactivate = new ConcurrentLinkedQueue<>();
    private final AtomicInteger names = new AtomicInteger();
    private final List<MemoryHandleSet> sets = new ArrayList<>();
    private final long startNs = System.nanoTime();
    private volatile boolean producing = true;
    private volatile boolean visiting = true;

    StressRun(StressMode mode, long seed) {
        this.mode = mode;
        this.seed = seed;
        for (int i = 0; i < mode.sets(); i++) {
            sets.add(new MemoryHandleSet(mode.deactivation(), violations, mode.oneLeader()));
        }
        PoolConfig config = PoolConfig.of("stress", mode.threads())
                .withInitialThreads(mode.grows() ? 2 : mode.threads())
                .withPromotion(mode.promotion())
                .withOrder(mode.order())
                .withWaiting(mode.waiting());
        pool = new LeaderFollowersPool(
                sets,
                config,
                Parking.SYSTEM,
                new Watcher("stress", Parking.SYSTEM),
                new Growth(Growth.ADDED_MAX, UNUSED_NS),
                1 + (int) (seed & 1));
        fatalityDue = new AtomicBoolean(!mode.visitors());
        for (int place = 0; place < HANDLES; place++) {
            occupy(place);
        }
    }

    private void occupy(int place) {
        int number = names.getAndIncrement();
        String name = "handle " + number;
        MemoryHandleSet set = sets.get(place % sets.size());
        MemoryHandle handle = place < SHARED_HANDLES
                ? new MemoryHandle(
                        set,
                        name,
                        new SharedLedger(name, violations, startNs),
                        new SharedChaosHandler(this, place),
                        true)
                : new MemoryHandle(
                        set,
                        name,
                        new Ledger(name, violations, startNs),
                        new ChaosHandler(this, place, new Random(seed + number)));
        everyHandle.add(handle);
        set.register(handle);
        places.set(place, handle);
    }

    MemoryHandle handle(int place) {
        return places.get(place);
    }

    void post(MemoryHandle handle) {
        handle.ledger.posted.incrementAndGet();
        handle.post(Ready.POSTED);
    }

    /** True: the caller has deactivated it, and must have it reactivated. */
    boolean deactivate(MemoryHandle handle) {
        if (!handle.ledger.deactivated.compareAndSet(false, true)) {
            return false;
        }
        try {
            pool.deactivateHandle(handle);
            return true;
        } catch (IllegalStateException refused) {
            if (!handle.isClosed()) {
                handle.ledger.violation(refused.getMessage());
            }
            return false;
        }
    }

    void reactivateLater(MemoryHandle handle) {
        toReactivate.add(handle);
    }

    private void reactivateOne() {
        MemoryHandle handle = toReactivate.poll();
        if (handle != null) {
            handle.ledger.mustNotRun = false;
            pool.reactivateHandle(handle);
            handle.ledger.deactivated.set(false);
        }
    }

    /** Called for a handle that is closed: another one takes its place while the run goes on. */
    void closed(MemoryHandle handle, int place) {
        handle.ledger.closed();
        if (!pool.isStopping()) {
            occupy(place);
        }
    }

    void run(Duration duration) throws InterruptedException {
        List<Thread> visitors = new ArrayList<>();
        if (mode.visitors()) {
            for (int i = 0; i < mode.threads(); i++) {
                visitors.add(start("visitor-" + i, new Random(seed - 100 - i), this::visit));
            }
        } else {
            pool.start();
        }
        List<Thread> producers = new ArrayList<>();
        for (int i = 0; i < PRODUCERS; i++) {
            producers.add(start("producer-" + i, new Random(seed - 1 - i), this::produce));
        }
        Await.until(duration, () -> !violations.isEmpty());
        // On a machine that stood still the time may be over before anything was done.
        Await.until(Await.PATIENCE, () -> pool.counters().processed() > 0 || !violations.isEmpty());
        producing = false;
        for (Thread producer : producers) {
            join(producer);
        }
        while (!toReactivate.isEmpty()) {
            reactivateOne();
        }
        if (!Await.until(Await.PATIENCE, this::isDone)) {
            everyHandle.stream().map(this::outstanding).filter(Objects::nonNull).forEach(violations::add);
            violations.add("the pool: " + pool.threads());
        }
        if (mode.grows() && !Await.until(Await.PATIENCE, () -> pool.threads().size() == 2)) {
            violations.add("threads are left that nobody needs: " + pool.threads());
        }
        visiting = false;
        if (seed % 2 == 0) {
            pool.stop();
        } else {
            pool.stopNow();
        }
        if (!pool.awaitTermination(Await.PATIENCE)) {
            violations.add("the pool does not terminate: " + pool.threads());
            return;
        }
        for (Thread visitor : visitors) {
            join(visitor);
        }
        workers.shutdown();
        if (!workers.awaitTermination(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            violations.add("the workers do not end");
        }
        sets.forEach(HandleSet::close);
        if (sets.stream().anyMatch(set -> set.dispatcher().offloads().hasUnfinished())) {
            violations.add("work that was handed away is owed, though every handle is closed");
        }
        if (pool.failure() != null) {
            violations.add("the pool failed: " + pool.failure());
        }
    }

    /** Handlers deactivate as long as there are items, so this goes on reactivating. */
    private boolean isDone() {
        reactivateOne();
        return toReactivate.isEmpty() && everyHandle.stream().allMatch(handle -> outstanding(handle) == null);
    }

    private String outstanding(MemoryHandle handle) {
        return handle.ledger.outstanding(handle.set().produced(handle));
    }

    /** The last events of the handles, for a report. */
    List<String> lastEvents() {
        return History.last(everyHandle.stream().map(handle -> handle.ledger.history), LAST_EVENTS);
    }

    private Thread start(String name, Random random, Consumer<Random> work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.accept(random);
                    } catch (Throwable failure) {
                        violations.add(name + " failed: " + failure);
                    }
                },
                name);
        thread.start();
        return thread;
    }

    private void join(Thread thread) throws InterruptedException {
        thread.join(Await.PATIENCE.toMillis());
        if (thread.isAlive()) {
            violations.add(thread.getName() + " does not end");
        }
    }

    private void produce(Random random) {
        while (producing) {
            for (int burst = random.nextInt(16); burst >= 0; burst--) {
                MemoryHandle handle = handle(random.nextInt(HANDLES));
                handle.set().produce(handle, INBOX_MAX);
                if (random.nextInt(32) == 0) {
                    post(handle);
                }
            }
            reactivateOne();
            if (random.nextInt(4) == 0) {
                LockSupport.parkNanos(random.nextInt(200_000));
            } else if (random.nextInt(500) == 0) {
                LockSupport.parkNanos(3_000_000); // long enough for the watcher to rest
            }
        }
    }

    private void visit(Random random) {
        while (visiting) {
            try {
                pool.join(Duration.ofNanos(random.nextInt(3_000_000)));
            } catch (IllegalStateException refused) {
                if (!pool.isStopping()) {
                    throw refused;
                }
            }
        }
    }
}

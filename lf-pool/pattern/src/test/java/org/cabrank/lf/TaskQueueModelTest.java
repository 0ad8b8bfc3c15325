package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.fail;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.observe.TaskCounters;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Random programs of calls on a task queue and on a model of it, in virtual time: the tasks run that the contract allows, those that are
 * due run, and each accepted task has run or is handed back at the end.
 *
 * <p>{@code cabrank.soak.seconds} is how long all kinds of pools take together. {@code cabrank.stress.seed} is the first seed, and
 * {@code cabrank.program} a program to run instead of all others, as a failure shows it.
 */
@Timeout(24 * 60 * 60)
@Tag("newest") // on an older JDK in a soak only
class TaskQueueModelTest {
    private static final int SEEDS = 100;
    private static final int STEPS_MAX = 12;
    private static final int ACTS_MAX = 3;
    private static final int ATTEMPTS_MAX = 300;
    private static final int CAPACITY = 3;
    private static final String[] THREADS = {"a", "b", "c"};

    enum Kind {
        SOLO(1, Promotion.eager()),
        EAGER(3, Promotion.eager()),
        DEFERRED(3, Promotion.deferred(PoolFixture.MAX_GAP));

        final int threads;
        final Promotion promotion;

        Kind(int threads, Promotion promotion) {
            this.threads = threads;
            this.promotion = promotion;
        }
    }

    /** Calls of the test's thread. */
    enum Op {
        OFFER,
        /** Waits until all threads of the pool rest; without it, calls and tasks race. */
        SETTLE,
        JOIN,
        CLOSE,
        STOP,
        STOP_NOW,
        CLOSE_HANDLE,
        DEACTIVATE,
        REACTIVATE,
        REPLY,
        OPEN
    }

    /** Calls of a task. */
    enum Act {
        OFFER,
        WAIT,
        BLOCK,
        THROW,
        INTERRUPT,
        CLOSE,
        STOP,
        STOP_NOW,
        CLOSE_HANDLE
    }

    /** @param acts of the task, if the step offers one */
    private record Step(Op op, List<Act> acts) {
        @Override
        public String toString() {
            return acts.isEmpty()
                    ? op.name()
                    : op + acts.stream().map(Act::name).collect(Collectors.joining(",", "(", ")"));
        }
    }

    private record Program(List<Step> steps) {
        static Program parse(String text) {
            List<Step> steps = new ArrayList<>();
            for (String word : text.strip().split(" ")) {
                String[] parts = word.split("[(),]");
                List<Act> acts = Arrays.stream(parts).skip(1).map(Act::valueOf).toList();
                steps.add(new Step(Op.valueOf(parts[0]), acts));
            }
            return new Program(steps);
        }

        static Program random(Random random) {
            List<Step> steps = new ArrayList<>();
            for (int threads = random.nextInt(THREADS.length + 1); threads > 0; threads--) {
                steps.add(new Step(Op.JOIN, List.of()));
            }
            int count = 1 + random.nextInt(STEPS_MAX);
            for (int i = 0; i < count; i++) {
                Op op = random.nextInt(3) == 0
                        ? oneOf(random, Op.values())
                        : random.nextBoolean() ? Op.OFFER : Op.SETTLE;
                List<Act> acts = new ArrayList<>();
                for (int left = op == Op.OFFER ? random.nextInt(ACTS_MAX + 1) : 0; left > 0; left--) {
                    acts.add(oneOf(random, Act.values()));
                }
                steps.add(new Step(op, acts));
            }
            return new Program(steps);
        }

        private static <T> T oneOf(Random random, T[] values) {
            return values[random.nextInt(values.length)];
        }

        List<Program> withoutOne() {
            List<Program> smaller = new ArrayList<>();
            for (int i = 0; i < steps.size(); i++) {
                smaller.add(new Program(without(steps, i)));
            }
            for (int i = 0; i < steps.size(); i++) {
                for (int j = 0; j < steps.get(i).acts.size(); j++) {
                    List<Step> changed = new ArrayList<>(steps);
                    changed.set(i, new Step(steps.get(i).op, without(steps.get(i).acts, j)));
                    smaller.add(new Program(changed));
                }
            }
            return smaller;
        }

        private static <T> List<T> without(List<T> list, int index) {
            List<T> fewer = new ArrayList<>(list);
            fewer.remove(index);
            return fewer;
        }

        @Override
        public String toString() {
            return steps.stream().map(Step::toString).collect(Collectors.joining(" "));
        }
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void everyProgramDoesAsTheModelDoes(Kind kind) {
        String given = System.getProperty("cabrank.program");
        if (given != null) {
            assertNull(difference(kind, Program.parse(given)));
            return;
        }
        long soakS = Long.getLong("cabrank.soak.seconds", 0);
        long seed = Long.getLong("cabrank.stress.seed", soakS > 0 ? System.nanoTime() : 1);
        long startNs = System.nanoTime();
        long soakNs = Duration.ofSeconds(soakS).toNanos() / Kind.values().length;
        for (long i = 0; i < SEEDS || System.nanoTime() - startNs < soakNs; i++) {
            check(kind, Program.random(new Random(seed + i)), "-Dcabrank.stress.seed=" + (seed + i));
        }
    }

    private static void check(Kind kind, Program program, String name) {
        String first = difference(kind, program);
        if (first == null) {
            return;
        }
        Program shrunk = program;
        String last = first;
        Deque<Program> candidates = new ArrayDeque<>(shrunk.withoutOne());
        for (int attempts = 0; attempts < ATTEMPTS_MAX && !candidates.isEmpty(); attempts++) {
            Program candidate = candidates.poll();
            String difference = difference(kind, candidate);
            if (difference != null) {
                shrunk = candidate;
                last = difference;
                candidates = new ArrayDeque<>(shrunk.withoutOne());
            }
        }
        fail(kind + ", " + name + ": -Dcabrank.program='" + shrunk + "'\n" + last + "\nshrunk from " + program + "\n"
                + first);
    }

    /** Returns the first rules that the queue has broken, and what had happened; null: it does as the model does. */
    private static String difference(Kind kind, Program program) {
        Run run = new Run(kind);
        try {
            program.steps.forEach(run::step);
            run.finish();
        } catch (Throwable failure) {
            run.require(false, failure + " at " + failure.getStackTrace()[0]);
        } finally {
            run.close();
        }
        return run.violations.isEmpty() ? null : run.violations + "\n  " + String.join("\n  ", run.log);
    }

    /** A program on a queue, and the model: one lock, under which all calls are made, so their order is known. */
    private static final class Run {
        final Kind kind;
        final PoolFixture fixture;
        final TaskQueue queue;
        final Handle handle;
        final List<String> log = new ArrayList<>();
        final List<String> violations = new ArrayList<>();

        /** Tasks in the order in which they were accepted, the first {@code begun} of which have begun. */
        final List<Task> accepted = new ArrayList<>();

        final Deque<Gate> gates = new ConcurrentLinkedDeque<>();
        final Deque<Reply<Void>> replies = new ConcurrentLinkedDeque<>();
        int begun;
        int ended;
        int failed;
        int refused;
        int joined;
        int numbers;

        /** The task that runs, and does not wait or has not waited; null: none. */
        Task present;

        int waiting;
        int blocked;
        boolean closing;
        boolean stopping;
        boolean stoppingNow;
        boolean handleClosed;
        boolean deactivated;
        boolean wasDeactivated;
        boolean stoppedWithoutThread;

        /** No further task may begin: seen at rest in a state that lets none begin. */
        boolean quiet;

        Run(Kind kind) {
            this.kind = kind;
            this.fixture = new PoolFixture(kind.threads, kind.promotion);
            this.queue = new TaskQueue(fixture.set, "queue", CAPACITY);
            this.handle = fixture.set.handles().get(0);
        }

        private final class Task implements Runnable {
            final int number = numbers++;
            final List<Act> acts;
            final Deque<Gate> own = new ArrayDeque<>();

            Task(List<Act> acts) {
                this.acts = acts;
                acts.stream().filter(act -> act == Act.BLOCK).forEach(act -> own.add(fixture.gate()));
            }

            @Override
            public void run() {
                begin(this);
                Throwable thrown = null;
                try {
                    acts.forEach(this::act);
                } catch (Throwable failure) {
                    thrown = failure;
                    throw failure;
                } finally {
                    end(this, thrown);
                }
            }

            private void act(Act act) {
                switch (act) {
                    case OFFER -> offer(List.of());
                    case WAIT -> waitNested(this);
                    case BLOCK -> block(own.remove());
                    case THROW -> throw new IllegalStateException("thrown by a task on purpose");
                    case INTERRUPT -> Thread.currentThread().interrupt();
                    case CLOSE -> Run.this.call(Op.CLOSE);
                    case STOP -> Run.this.call(Op.STOP);
                    case STOP_NOW -> Run.this.call(Op.STOP_NOW);
                    case CLOSE_HANDLE -> Run.this.call(Op.CLOSE_HANDLE);
                    default -> throw new IllegalArgumentException(act.toString());
                }
            }

            @Override
            public String toString() {
                return "task " + number;
            }
        }

        // ---- the program ----

        void step(Step step) {
            switch (step.op) {
                case OFFER -> offer(step.acts);
                case SETTLE -> awaitIdle();
                case JOIN -> join();
                case REPLY -> reply();
                case OPEN -> open();
                default -> call(step.op);
            }
        }

        private synchronized void offer(List<Act> acts) {
            Task task = new Task(acts);
            boolean mustRefuse = closing || stopping;
            boolean mayRefuse = mustRefuse || handleClosed || accepted.size() - begun >= CAPACITY;
            boolean taken = queue.offer(task);
            log.add("offer " + task + " " + acts + ": " + taken);
            require(!taken || !mustRefuse, "\"false: the queue is closed or its pool is stopping\"");
            require(taken || mayRefuse, "\"false: the queue is full or closed or its pool is stopping\"");
            if (taken) {
                accepted.add(task);
                require(
                        accepted.size() - begun <= CAPACITY + 1,
                        "\"maximum number of waiting tasks\""); // one is about to begin
            } else {
                refused++;
            }
        }

        private synchronized void call(Op op) {
            log.add(op.toString());
            switch (op) {
                case CLOSE -> {
                    closing = true;
                    queue.close();
                }
                case STOP -> {
                    stoppedWithoutThread |= !stopping && joined == 0;
                    stopping = true;
                    fixture.pool.stop();
                }
                case STOP_NOW -> {
                    stopping = true;
                    stoppingNow = true;
                    quiet |= present != null; // "processes nothing else"
                    fixture.pool.stopNow();
                }
                case CLOSE_HANDLE -> {
                    handleClosed = true;
                    handle.close();
                }
                case DEACTIVATE -> {
                    if (!deactivated && !handle.isClosed()) {
                        deactivated = true;
                        wasDeactivated = true;
                        try {
                            fixture.pool.deactivateHandle(handle);
                        } catch (IllegalStateException closedMeanwhile) {
                            log.add(closedMeanwhile.toString());
                        }
                    }
                }
                case REACTIVATE -> {
                    if (deactivated) {
                        deactivated = false;
                        quiet = false;
                        try {
                            fixture.pool.reactivateHandle(handle);
                        } catch (IllegalStateException closedMeanwhile) {
                            log.add(closedMeanwhile.toString());
                        }
                    }
                }
                default -> throw new IllegalArgumentException(op.toString());
            }
        }

        private void join() {
            if (joined == kind.threads || fixture.pool.isStopping()) {
                return;
            }
            note("join");
            fixture.join(THREADS[joined]);
            synchronized (this) {
                joined++;
            }
        }

        private boolean reply() {
            Reply<Void> first = replies.poll();
            if (first != null) {
                note("reply");
                first.complete(null);
            }
            return first != null;
        }

        private boolean open() {
            Gate first = gates.poll();
            if (first != null) {
                note("open");
                first.open();
            }
            return first != null;
        }

        private synchronized void note(String what) {
            log.add(what);
        }

        /** At rest, nothing that is due is left. */
        private void awaitIdle() {
            fixture.awaitIdle();
            synchronized (this) {
                log.add("at rest");
                boolean free = joined > blocked;
                boolean served = free && present == null && !deactivated && !handle.isClosed();
                if (served && !stopping && !handleClosed) {
                    require(begun == accepted.size(), "due: " + accepted.subList(begun, accepted.size()));
                }
                if (served && !stopping && (closing && waiting == 0 || handleClosed)) {
                    require(false, "due: the end of the queue");
                }
                quiet = quiet || present == null && (deactivated || handle.isClosed() || stoppingNow);
                if (queue.isClosed() && !handleClosed) {
                    require(closing, "closed by nobody");
                    require(begun == accepted.size(), "\"close has all accepted tasks run\"");
                }
                if (!fixture.pool.isTerminated() && !queue.isClosed()) {
                    require(queue.unrun().isEmpty(), "\"empty before the queue is closed or its pool has terminated\"");
                }
            }
        }

        // ---- the tasks ----

        private synchronized void begin(Task task) {
            log.add("begin " + task);
            require(!Thread.interrupted(), "an interrupt of the task before");
            require(present == null, "\"one at a time\": " + task + " during " + present);
            require(!quiet, "nothing runs any more: " + task);
            require(
                    begun < accepted.size() && accepted.get(begun) == task,
                    "\"in the order in which each producer has offered them\": " + task);
            begun++;
            present = task;
        }

        private synchronized void end(Task task, Throwable thrown) {
            log.add("end " + task + (thrown == null ? "" : ": " + thrown));
            ended++;
            failed += thrown == null ? 0 : 1;
            if (present == task) {
                present = null;
            }
        }

        private void waitNested(Task task) {
            Reply<Void> reply = fixture.pool.newReply();
            synchronized (this) {
                log.add(task + " waits");
                if (present == task) {
                    present = null;
                }
                waiting++;
            }
            replies.add(reply);
            try {
                reply.await(Duration.ofDays(1));
            } catch (PoolStoppedException | NestingLimitException ended) {
                note(task + ": " + ended);
            } catch (ExecutionException | TimeoutException failure) {
                throw new IllegalStateException(failure);
            } finally {
                synchronized (this) {
                    waiting--;
                    log.add(task + " has waited");
                }
            }
        }

        private void block(Gate gate) {
            synchronized (this) {
                blocked++;
            }
            gates.add(gate);
            gate.pass();
            synchronized (this) {
                blocked--;
            }
        }

        // ---- the end ----

        void finish() {
            do {
                awaitIdle();
            } while (open() || reply());
            call(Op.STOP);
            Await.until(
                    "the pool terminates",
                    () -> { // a task that runs now may wait or block
                        while (open() || reply()) {
                            // until none is left
                        }
                        return fixture.pool.isTerminated();
                    });
            ledger();
            fixture.close();
            ledger();
        }

        private synchronized void ledger() {
            List<Runnable> left = List.copyOf(accepted.subList(begun, accepted.size()));
            require(queue.unrun().equals(left), "unrun is " + queue.unrun() + ", but these have not run: " + left);
            boolean graceful = !stoppingNow && !handleClosed && !wasDeactivated && !stoppedWithoutThread;
            require(!graceful || left.isEmpty(), "\"so has a graceful stop\": " + left);
            TaskCounters counters = queue.counters();
            require(
                    counters.run() == ended && counters.failed() == failed && ended == begun,
                    counters + ", but " + ended + " of " + begun + " tasks have ended, and " + failed + " have failed");
            require(
                    counters.refusedFull() + counters.refusedClosed() == refused,
                    counters + ", but " + refused + " were refused");
            require(counters.unrun() == left.size() && counters.waiting() == 0, counters + ", left are " + left);
        }

        void close() {
            while (open() || reply()) {
                // until none is left
            }
            if (!fixture.pool.isTerminated() || !queue.isClosed()) {
                fixture.close();
            }
        }

        synchronized void require(boolean holds, String rule) {
            if (!holds) {
                violations.add(rule);
                log.add("*** " + rule);
            }
        }
    }
}

package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.NestingLimitException;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.Datagram;
import org.cabrank.socket.DatagramCounters;
import org.cabrank.socket.DatagramHandler;
import org.cabrank.socket.DatagramOptions;
import org.cabrank.socket.OutgoingBatch;
import org.cabrank.socket.UdpSocket;
import org.cabrank.stream.contract.Modes;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Random programs of calls on a datagram socket and on a model of it: each datagram comes once, those that are due come, none comes after
 * the end, and the client receives the accepted answers and no others.
 *
 * <p>{@code cabrank.stress.seed} is the first seed, {@code cabrank.soak.seconds} how long all modes take together, at about 50 modes, and
 * {@code cabrank.program} a program to run instead of all others, as a failure shows it.
 */
@Timeout(24 * 60 * 60)
public abstract class DatagramModelContract extends DescriptorContract {
    private static final int SEEDS = 60;
    private static final int MODES = 50;
    private static final int STEPS_MAX = 14;
    private static final int ACTS_MAX = 3;
    private static final int ATTEMPTS_MAX = 100;
    private static final int SEGMENT_BYTES = 2;
    private static final Duration PATIENCE = Duration.ofSeconds(120);
    private static final Duration PATIENCE_OF_SHRINKING = Duration.ofSeconds(1);

    /** Calls of the test's thread. */
    enum Op {
        /** The client sends a datagram. */
        ASK,
        /** The socket sends a datagram to the client. */
        SEND,
        /** Waits for what is due; without it, calls and callbacks race. */
        SETTLE,
        CLOSE,
        DEACTIVATE,
        REACTIVATE,
        REPLY,
        OPEN
    }

    /** Calls of the handler of a datagram. */
    enum Act {
        ANSWER,
        ANSWER_OWN,
        ANSWER_SEGMENTS,
        ANSWER_BATCH,
        SEND,
        WAIT,
        BLOCK,
        THROW,
        CLOSE
    }

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
                steps.add(new Step(
                        Op.valueOf(parts[0]),
                        Arrays.stream(parts).skip(1).map(Act::valueOf).toList()));
            }
            return new Program(steps);
        }

        static Program random(Random random) {
            List<Step> steps = new ArrayList<>();
            for (int left = 1 + random.nextInt(STEPS_MAX); left > 0; left--) {
                Op op = random.nextInt(3) == 0
                        ? oneOf(random, Op.values())
                        : random.nextInt(3) > 0 ? Op.ASK : Op.SETTLE;
                List<Act> acts = new ArrayList<>();
                for (int more = op == Op.ASK ? random.nextInt(ACTS_MAX + 1) : 0; more > 0; more--) {
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

    private LeaderFollowersPool pool;

    @ParameterizedTest
    @CsvSource({"true, 1", "true, 4", "false, 1", "false, 4"})
    void everyProgramDoesAsTheModelDoes(boolean ordered, int batch) throws Exception {
        pool = serve();
        DatagramOptions options =
                DatagramOptions.DEFAULT.withOrdered(ordered).withBatch(batch).withBytesMax(1_500);
        String given = System.getProperty("cabrank.program");
        if (given != null) {
            assertNull(difference(options, Program.parse(given), PATIENCE));
            return;
        }
        long soakS = Long.getLong("cabrank.soak.seconds", 0);
        long seed = Long.getLong("cabrank.stress.seed", Modes.isSoak() ? System.nanoTime() : 1);
        long startNs = System.nanoTime();
        long soakNs = Duration.ofSeconds(soakS).toNanos() / MODES;
        for (long i = 0; i < SEEDS || System.nanoTime() - startNs < soakNs; i++) {
            check(options, Program.random(new Random(seed + i)), "-Dcabrank.stress.seed=" + (seed + i));
        }
    }

    private void check(DatagramOptions options, Program program, String name) throws Exception {
        String first = difference(options, program, PATIENCE);
        if (first == null) {
            return;
        }
        Program shrunk = program;
        String last = first;
        Deque<Program> candidates = new ArrayDeque<>(shrunk.withoutOne());
        for (int attempts = 0; attempts < ATTEMPTS_MAX && !candidates.isEmpty(); attempts++) {
            Program candidate = candidates.poll();
            String difference = difference(options, candidate, PATIENCE_OF_SHRINKING);
            if (difference != null) {
                shrunk = candidate;
                last = difference;
                candidates = new ArrayDeque<>(shrunk.withoutOne());
            }
        }
        fail(mode + ", ordered " + options.ordered() + ", batch " + options.batch() + ", " + name
                + ": -Dcabrank.program='" + shrunk + "'\n" + last + "\nshrunk from " + program + "\n" + first);
    }

    /** Returns the rules that the socket has broken, and what had happened; null: it does as the model does. */
    private String difference(DatagramOptions options, Program program, Duration patience) throws Exception {
        try (Run run = new Run(options, patience)) {
            for (Step step : program.steps) {
                run.step(step);
            }
            run.finish();
            synchronized (run) {
                return run.violations.isEmpty() ? null : run.violations + "\n  " + String.join("\n  ", run.log);
            }
        }
    }

    /** A program on a socket, and the model, whose state one lock guards. */
    private final class Run implements DatagramHandler, AutoCloseable {
        final boolean ordered;
        final boolean inBatches;
        final Duration patience;
        final UdpSocket socket;
        final DatagramChannel client;
        final List<String> log = new ArrayList<>();
        final List<String> violations = new ArrayList<>();
        final List<List<Act>> asked = new ArrayList<>();
        final Set<Integer> handled = new HashSet<>();
        final List<String> answers = new ArrayList<>();
        final Deque<CountDownLatch> gates = new ConcurrentLinkedDeque<>();
        final Deque<Reply<Void>> replies = new ConcurrentLinkedDeque<>();

        /** Calls of the handler that have not returned. */
        int inside;

        /** Calls whose reply has not come, and calls whose gate is closed. */
        int waiting;

        int blocked;

        /** The datagram whose handler has an ordered socket; -1: none. */
        int present = -1;

        Thread presentThread;
        int highest = -1;
        int sent;
        int unsent;
        int failed;
        boolean closing;
        boolean closed;
        boolean deactivated;

        Run(DatagramOptions options, Duration patience) throws IOException {
            this.ordered = options.ordered();
            this.inBatches = options.batch() > 1;
            this.patience = patience;
            InetSocketAddress loopback = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            this.client = DatagramChannel.open();
            client.bind(loopback);
            client.configureBlocking(false);
            this.socket = UdpSocket.bind(set, loopback, options, this);
        }

        // ---- the program ----

        void step(Step step) throws IOException {
            switch (step.op) {
                case ASK -> ask(step.acts);
                case SEND -> send(socket, "sent;");
                case SETTLE -> awaitIdle();
                case CLOSE -> closeSocket();
                case DEACTIVATE -> deactivate();
                case REACTIVATE -> reactivate();
                case REPLY -> reply();
                case OPEN -> open();
                default -> throw new IllegalArgumentException(step.toString());
            }
        }

        private void ask(List<Act> acts) throws IOException {
            ByteBuffer question = ByteBuffer.allocate(Integer.BYTES);
            synchronized (this) { // not before the descriptor is closed and the port is another socket's
                if (closing) {
                    return;
                }
                log.add("ask " + asked.size() + " " + acts);
                question.putInt(0, asked.size());
                asked.add(acts);
                client.send(question, socket.localAddress());
            }
        }

        private void send(UdpSocket own, String text) throws IOException {
            InetSocketAddress to = (InetSocketAddress) client.getLocalAddress();
            answer(text, 1, () -> own.send(to, bytes(text)) ? 1 : 0);
        }

        private void closeSocket() {
            synchronized (this) {
                log.add("close");
                closing = true;
            }
            socket.close();
        }

        private synchronized void deactivate() {
            if (!deactivated && !closing) {
                log.add("deactivate");
                deactivated = true;
                pool.deactivateHandle(socket.handle());
            }
        }

        private synchronized void reactivate() {
            if (deactivated) {
                log.add("reactivate");
                deactivated = false;
                if (!socket.handle().isClosed()) {
                    pool.reactivateHandle(socket.handle());
                }
            }
        }

        private boolean reply() {
            Reply<Void> first = replies.poll();
            if (first != null) {
                synchronized (this) {
                    waiting--;
                }
                first.complete(null);
            }
            return first != null;
        }

        private boolean open() {
            CountDownLatch first = gates.poll();
            if (first != null) {
                synchronized (this) {
                    blocked--;
                }
                first.countDown();
            }
            return first != null;
        }

        private void awaitIdle() {
            if (!Await.until(patience, () -> due() == null)) {
                require(false, "due: " + due());
            }
        }

        /** Returns what is due and has not happened; null: nothing. */
        private synchronized String due() {
            if (!violations.isEmpty()) {
                return null;
            }
            boolean free = blocked < mode.threads();
            boolean held = ordered ? present >= 0 : inBatches && inside > 0; // a batch stays with its thread
            if (inside > 0 && waiting == 0 && blocked == 0) { // calls may stand below one that waits or is blocked
                return "the return of a handler";
            }
            if (!free || held || deactivated) {
                return null;
            }
            if (closing) {
                return closed || !ordered && inside > 0 ? null : "closed";
            }
            return handled.size() == asked.size() ? null : "datagrams: " + handled.size() + " of " + asked.size();
        }

        // ---- callbacks ----

        @Override
        public void datagram(UdpSocket own, Datagram datagram) throws Exception {
            int number = datagram.data().getInt(datagram.data().position());
            begin(number);
            try {
                for (Act act : asked.get(number)) {
                    act(own, datagram, number, act);
                }
            } finally {
                end(number);
            }
        }

        @Override
        public synchronized void closed(UdpSocket own, Throwable cause) {
            log.add("closed " + cause);
            require(!closed, "closed twice");
            require(closing && cause == null, "\"null unless a failure closed it\": " + cause);
            require(
                    ordered ? present < 0 || presentThread == Thread.currentThread() : inside == 0,
                    "\"no other call runs\"");
            closed = true;
        }

        private void act(UdpSocket own, Datagram datagram, int number, Act act) throws Exception {
            String text = number + ";";
            switch (act) {
                case ANSWER -> answer(text, 1, () -> datagram.reply(bytes(text)) ? 1 : 0);
                case ANSWER_OWN -> {
                    ByteBuffer data = datagram.data();
                    answer(textOf(data.duplicate()), 1, () -> datagram.reply(data) ? 1 : 0);
                }
                case ANSWER_SEGMENTS -> answerSegments(datagram, number + ";;;");
                case ANSWER_BATCH -> {
                    OutgoingBatch batch = own.newBatch(1, text.length());
                    batch.reply(datagram, bytes(text));
                    answer(text, 1, batch::send);
                }
                case SEND -> send(own, text);
                case WAIT -> waitNested(number);
                case BLOCK -> block();
                case THROW -> {
                    synchronized (this) {
                        failed++;
                    }
                    throw new IllegalStateException("thrown by a handler on purpose");
                }
                case CLOSE -> closeSocket();
                default -> throw new IllegalArgumentException(act.toString());
            }
        }

        private synchronized void begin(int number) {
            log.add("datagram " + number);
            require(!closed, "\"no other call runs or follows\": " + number);
            require(handled.add(number), "comes twice: " + number);
            require(number < asked.size(), "was not sent: " + number);
            if (ordered) {
                require(present < 0, "\"one thread at a time\": " + number + " during " + present);
                require(number > highest, "\"in the order of arrival\": " + number + " after " + highest);
                highest = number;
                present = number;
                presentThread = Thread.currentThread();
            }
            inside++;
        }

        private synchronized void end(int number) {
            log.add("end of " + number);
            inside--;
            if (present == number) {
                present = -1;
            }
        }

        private interface Sending {
            int accepted() throws IOException;
        }

        /** @param count datagrams of the same text */
        private void answer(String text, int count, Sending sending) throws IOException {
            boolean mustRefuse;
            boolean mayRefuse;
            synchronized (this) {
                mustRefuse = closed;
            }
            int accepted = sending.accepted();
            synchronized (this) {
                mayRefuse = closing;
                log.add("answer " + text + ": " + accepted);
                require(accepted == 0 || !mustRefuse, "an answer of a closed socket: " + text);
                require(accepted == count || mayRefuse, "refused: " + text);
                sent += accepted;
                unsent += count - accepted;
                if (accepted > 0) {
                    answers.add(text);
                }
            }
        }

        private void answerSegments(Datagram datagram, String text) throws IOException {
            int accepted = datagram.replySegments(bytes(text), SEGMENT_BYTES);
            synchronized (this) {
                int count = (text.length() + SEGMENT_BYTES - 1) / SEGMENT_BYTES;
                log.add("segments " + text + ": " + accepted);
                require(accepted == count || closing && accepted == 0, "accepted " + accepted + " of " + text);
                sent += accepted;
                unsent += count - accepted;
                for (int at = 0; at < text.length() && accepted > 0; at += SEGMENT_BYTES) {
                    answers.add(text.substring(at, Math.min(text.length(), at + SEGMENT_BYTES)));
                }
            }
        }

        private void waitNested(int number) {
            Reply<Void> reply = pool.newReply();
            synchronized (this) {
                log.add(number + " waits");
                waiting++;
                if (present == number) {
                    present = -1;
                }
            }
            replies.add(reply);
            try {
                reply.await(Duration.ofDays(1));
            } catch (NestingLimitException tooDeep) {
                if (replies.remove(reply)) {
                    synchronized (this) {
                        waiting--;
                    }
                }
            } catch (ExecutionException | TimeoutException failure) {
                throw new IllegalStateException(failure);
            } finally {
                synchronized (this) {
                    log.add(number + " has waited");
                }
            }
        }

        private void block() throws InterruptedException {
            CountDownLatch gate = new CountDownLatch(1);
            synchronized (this) {
                blocked++;
            }
            gates.add(gate);
            gate.await();
        }

        // ---- the end ----

        void finish() throws IOException {
            reactivate();
            do {
                awaitIdle();
            } while (open() || reply());
            closeSocket();
            awaitIdle();
            if (!Await.until(
                    patience, () -> socket.counters().failed() == failed)) { // counted when the handler has returned
                require(false, socket.counters() + ", but failed " + failed);
            }
            List<String> received = new ArrayList<>();
            ByteBuffer buffer = ByteBuffer.allocate(100);
            while (client.receive(buffer) != null) { // loopback delivers within the send
                received.add(textOf(buffer.flip()));
                buffer.clear();
            }
            synchronized (this) {
                Collections.sort(answers);
                Collections.sort(received);
                require(answers.equals(received), "received " + received + " instead of " + answers);
                DatagramCounters counters = socket.counters();
                require(
                        counters.sent() == sent && counters.unsent() == unsent,
                        counters + ", but sent " + sent + ", not " + unsent);
                require(counters.received() >= handled.size(), counters + ", but handled " + handled.size());
            }
        }

        /** Leaves no handler inside, whatever the program was. */
        @Override
        public void close() throws IOException {
            reactivate();
            closeSocket();
            Await.until("all handlers have returned", () -> {
                while (open() || reply()) {
                    // until none is left
                }
                synchronized (this) {
                    return closed && inside == 0;
                }
            });
            client.close();
        }

        synchronized void require(boolean holds, String rule) {
            if (!holds) {
                violations.add(rule);
                log.add("*** " + rule);
            }
        }
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String textOf(ByteBuffer buffer) {
        return StandardCharsets.ISO_8859_1.decode(buffer).toString();
    }
}

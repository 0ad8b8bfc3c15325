package org.cabrank.stream.contract.model;

import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.BlockingConnection;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ReactorFile;
import org.cabrank.stream.ScheduledTask;
import org.cabrank.stream.SocketOption;
import org.cabrank.stream.StreamTimeouts;
import org.cabrank.stream.WriteQueueFullException;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.model.ConnectionModel.Kind;
import org.cabrank.stream.contract.model.Program.Act;
import org.cabrank.stream.transport.DecoratorOutput;

/** Runs a program on a connection and on the model at once. */
final class ProgramRun implements ConnectionHandler {
    /** Content of the file that programs send. */
    static final String FILE = "<file>";

    /** Named bound: callbacks that wait, one above the other. */
    private static final int WAITS_MAX = 3;

    private static final Duration HOUR = Duration.ofHours(1);
    /** Characters on each side of a difference that a message shows. */
    private static final int EXCERPT = 20;

    private static final Duration SOON = Duration.ofMillis(1);

    /** A callback that throws on purpose. */
    static final class Thrown extends Exception {
        private static final long serialVersionUID = 1;

        Thrown() {
            super("thrown by the program", null, false, false);
        }
    }

    private interface Body {
        void run() throws Exception;
    }

    private record Timer(int number, ScheduledTask task) {}

    private record Waiting(ConnectionModel.Wait nested, Reply<String> reply) {}

    private final Program program;
    private final ReactorMode mode;
    private final ReactorFile file;
    private final Set<String> reached;
    private final Duration patience;
    private final ConnectionModel model = new ConnectionModel(this::receivedCount);
    private final Map<Callback, Integer> counts = new EnumMap<>(Callback.class);
    private final Deque<Runnable> work = new ConcurrentLinkedDeque<>();
    private final Deque<Timer> timers = new ArrayDeque<>();
    private final List<CompletableFuture<Boolean>> moves = new ArrayList<>();
    private final ExecutorService elsewhere = Executors.newSingleThreadExecutor();
    private volatile Connection connection;
    private final Deque<Waiting> waits = new ConcurrentLinkedDeque<>();
    private volatile ProgramPeer peer;
    private volatile BlockingConnection view;
    private volatile Thread viewer;

    private int consumed;
    private int shard;

    /**
     * @param reached is given the pairs of callback and call that were reached
     * @param patience for what is due
     */
    ProgramRun(Program program, ReactorMode mode, ReactorFile file, Set<String> reached, Duration patience) {
        this.program = program;
        this.mode = mode;
        this.file = file;
        this.reached = reached;
        this.patience = patience;
    }

    /** Returns the first difference between the connection and the model, with the log; null: there is none. */
    String run(SocketAddress address, Runnable drain) throws Exception {
        Thread drainer = new Thread(drain, "drainer");
        peer = new ProgramPeer(mode, address); // first: opened may have the peer stop
        try {
            peer.connect();
            rest();
            for (Op step : program.steps()) {
                if (model.violations().isEmpty()) {
                    step(step, drainer);
                    rest();
                }
            }
            if (model.violations().isEmpty()) {
                finish();
            }
        } catch (IOException e) {
            model.require(false, "the peer failed: " + e);
        } finally {
            release();
            peer.close();
            elsewhere.shutdown();
            if (viewer != null) {
                viewer.join();
            }
            if (drainer.getState() != Thread.State.NEW) {
                drainer.join();
            }
        }
        return model.violations().isEmpty() ? null : model.violations().get(0) + "\n  " + model.log();
    }

    private void step(Op step, Thread drainer) throws Exception {
        boolean mayTalk = !model.hasPeerEnded() && !model.isEnding();
        model.note("step " + step);
        switch (step) {
            case SEND -> {
                if (mayTalk) {
                    send(model.send(Op.MESSAGE), Op.MESSAGE);
                }
            }
            case SEND_SLOWLY -> {
                if (mayTalk) {
                    int first = model.send(Op.MESSAGE);
                    for (int i = 0; i < Op.MESSAGE; i++) {
                        send(first + i, 1);
                    }
                }
            }
            case HALF_CLOSE -> {
                if (mayTalk) {
                    model.peerEnds();
                    peer.end();
                }
            }
            case RESET -> {
                if (mayTalk && peer.canReset()) {
                    model.peerResets();
                    peer.reset();
                }
            }
            case STOP_READING -> {
                if (model.isAllRead()) { // else nobody knows how much is queued
                    stopReading();
                }
            }
            case READ_ON -> {
                model.peerReads(true);
                peer.reads(true);
            }
            case WORK_DONE -> workDone();
            case REPLY -> reply(waits.pollLast());
            case REPLY_FIRST -> reply(waits.pollFirst());
            case DRAIN -> {
                if (!model.isClosed()) {
                    model.drains();
                    drainer.start();
                }
            }
            default -> call(step, false);
        }
    }

    private void send(int first, int count) throws IOException {
        try {
            peer.send(first, count);
        } catch (IOException failed) {
            if (!model.isEnding() && !model.isLossy()) { // else the connection has ended between two bytes
                throw failed;
            }
        }
    }

    /** A callback may have had the peer stop again. */
    private void readOn() throws Exception {
        step(Op.READ_ON, null);
        rest();
    }

    private void stopReading() {
        model.peerReads(false);
        peer.reads(false);
    }

    private void workDone() {
        Runnable next = work.poll();
        if (next != null) {
            if (model.isOffloading()) {
                model.workDone();
            }
            next.run();
        }
    }

    private void reply(Waiting waiting) {
        if (waiting != null) {
            model.replied(waiting.nested);
            waiting.reply.complete("reply");
        }
    }

    private int receivedCount() {
        return peer.receivedCount();
    }

    /** Ends the connection in order, if the program has not ended it, and compares what has arrived. */
    private void finish() throws Exception {
        for (int i = 0; i < 2 * program.calls().size() + 2 + WAITS_MAX; i++) {
            readOn();
            reply(waits.pollLast());
            rest();
            workDone();
            rest();
        }
        if (!model.isClosed()) {
            call(Op.CLOSE, false);
            rest();
            readOn();
        }
        model.require(model.isClosed(), "the connection does not end");
        Exception failed = peer.awaitEnd(patience.toMillis());
        byte[] received = peer.received();
        byte[] written = model.output();
        boolean matches = model.isLossy()
                ? received.length <= written.length && Arrays.equals(received, Arrays.copyOf(written, received.length))
                : Arrays.equals(received, written);
        model.require(
                matches,
                "the peer received " + excerpt(received, written) + " instead of " + excerpt(written, received));
        model.require(failed == null || model.isLossy(), "no orderly end: " + failed);
        for (CompletableFuture<Boolean> move : moves) {
            model.require(Await.until(patience, move::isDone), "a move is not answered");
        }
    }

    /** Returns what stands around the first difference. */
    private static String excerpt(byte[] bytes, byte[] others) {
        int difference = Math.max(0, Arrays.mismatch(bytes, others));
        int first = Math.max(0, difference - EXCERPT);
        int length = Math.min(bytes.length - first, 2 * EXCERPT);
        return bytes.length + " bytes, '" + new String(bytes, first, length, StandardCharsets.ISO_8859_1) + "' at "
                + first;
    }

    /** Waits until nothing is due. */
    private void rest() {
        if (!Await.until(patience, this::rests)) {
            model.require(false, "due and not done: " + model.due());
        } else if (model.isQueued()) {
            passBy();
            passBy();
        }
    }

    /**
     * Has a task run. With a full send buffer other callbacks may come or not. Behind the second task a processing has ended with the
     * full buffer, and no more of them come.
     */
    private void passBy() {
        CountDownLatch passed = new CountDownLatch(1);
        try {
            connection.execute(passed::countDown);
            Await.until(patience, () -> passed.getCount() == 0 || model.isOffloading());
        } catch (RejectedExecutionException gone) {
            model.note("gone");
        }
    }

    private boolean rests() {
        BlockingConnection viewed = view;
        if (viewed != null && viewed.isDraining()) {
            model.viewDrains();
        }
        if (model.isEnding() && peer.hasSeenEnd()) {
            passBy(); // a close by mail acts before the end comes
            model.peerAnswersEnd();
            peer.answerEnd(); // "waits for the peer's end"
        }
        return model.due() == null;
    }

    /** After a failure: nobody waits for the program any more. */
    private void release() {
        waits.forEach(waiting -> waiting.reply.complete("released"));
        work.forEach(Runnable::run);
        Connection opened = connection;
        if (opened != null) {
            opened.abort();
        }
    }

    // ---- callbacks ----

    @Override
    public void opened(Connection opened) throws Exception {
        connection = opened;
        opened.option(SocketOption.SO_SNDBUF, OutputModel.SOCKET_BUFFER);
        model.begin(Callback.OPENED);
        callback(Callback.OPENED, () -> calls(Callback.OPENED));
    }

    @Override
    public void data(Connection same, ByteBuffer data) throws Exception {
        int count = data.remaining();
        model.beginData(count == 0 ? -1 : data.get(data.position()) & 0xff, count);
        callback(Callback.DATA, () -> {
            boolean goesOn = true;
            while (goesOn && data.hasRemaining()) {
                int value = data.get() & 0xff;
                model.require(value == (consumed & 0xff), "byte " + value + " instead of " + consumed);
                int message = consumed / Op.MESSAGE;
                boolean first = consumed % Op.MESSAGE == 0;
                consumed++;
                model.consumed(1);
                goesOn = !first || calls(Callback.DATA, message) && same.isReceiving();
            }
        });
    }

    @Override
    public void writable(Connection same) throws Exception {
        model.beginWritable(same.queuedBytes());
        callback(Callback.WRITABLE, () -> calls(Callback.WRITABLE));
    }

    @Override
    public void deadlinePassed(Connection same) throws Exception {
        model.begin(Callback.DEADLINE_PASSED);
        callback(Callback.DEADLINE_PASSED, () -> calls(Callback.DEADLINE_PASSED));
    }

    @Override
    public void inputClosed(Connection same, ByteBuffer unread) throws Exception {
        consumed += unread.remaining();
        unread.position(unread.limit());
        model.begin(Callback.INPUT_CLOSED);
        callback(Callback.INPUT_CLOSED, () -> callsOrClose(Callback.INPUT_CLOSED));
    }

    @Override
    public void draining(Connection same) throws Exception {
        model.begin(Callback.DRAINING);
        callback(Callback.DRAINING, () -> callsOrClose(Callback.DRAINING));
    }

    @Override
    public void closed(Connection same, Throwable cause) {
        model.beginClosed(cause);
        try {
            calls(Callback.CLOSED);
        } catch (Exception e) {
            model.note("closed throws " + e);
        } finally {
            model.end(null);
        }
    }

    private void task(int number) {
        model.beginTask(number);
        unchecked(Callback.TASK);
    }

    private void timer(int number) {
        model.beginTimer(number);
        unchecked(Callback.TIMER);
    }

    private void unchecked(Callback callback) {
        try {
            callback(callback, () -> calls(callback));
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            ProgramRun.<RuntimeException>sneak(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void sneak(Exception e) throws E {
        throw (E) e;
    }

    private void completed(int number, Throwable failure) throws Exception {
        model.beginCompletion(number, failure);
        callback(Callback.COMPLETION, () -> calls(Callback.COMPLETION));
    }

    private void callsOrClose(Callback callback) throws Exception {
        boolean hasCalls = program.calls(callback, counts.getOrDefault(callback, 0)) != null;
        calls(callback);
        if (!hasCalls) {
            call(Op.CLOSE, true);
        }
    }

    /** The wait of the calling thread's present callback; null: the callback has not waited. */
    private final ThreadLocal<ConnectionModel.Wait> present = new ThreadLocal<>();

    private void callback(Callback callback, Body body) throws Exception {
        Throwable thrown = null;
        ConnectionModel.Wait outer = present.get();
        present.remove();
        try {
            body.run();
        } catch (Exception e) {
            thrown = e;
            throw e;
        } finally {
            ConnectionModel.Wait waited = present.get();
            if (waited != null) {
                model.endWaited(waited, thrown);
            } else {
                model.end(thrown);
            }
            present.set(outer);
        }
    }

    private void calls(Callback callback) throws Exception {
        calls(callback, counts.merge(callback, 1, Integer::sum) - 1);
    }

    /** Returns false if the callback is to leave the rest unread. */
    private boolean calls(Callback callback, int number) throws Exception {
        List<Act> acts = program.calls(callback, number);
        boolean waited = false;
        for (Act act : acts == null ? List.<Act>of() : acts) {
            if (waited) { // the callback calls like any other thread: once, because each call may be followed by
                // callbacks
                if (act.op() == Op.THROW || act.op().mayBeElsewhere()) {
                    call(act.op(), false);
                }
                return false; // the buffer is empty
            }
            if (act.op() == Op.LEAVE) {
                reached.add(callback + " " + act.op());
                return false;
            }
            if (act.op() == Op.WAIT) {
                waited = callback != Callback.CLOSED && await();
                if (waited) {
                    reached.add(callback + " " + act.op());
                }
                continue;
            }
            reached.add(callback + " " + act);
            if (act.elsewhere()) {
                elsewhere
                        .submit(() -> {
                            call(act.op(), false);
                            return null;
                        })
                        .get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
            } else {
                call(act.op(), true);
            }
        }
        return !waited;
    }

    private boolean await() throws Exception {
        if (model.waitCount() == WAITS_MAX || model.isEnding() || model.isOffloading()) {
            return false;
        }
        Reply<String> awaited = connection.newReply();
        ConnectionModel.Wait wait = model.beginWait();
        present.set(wait);
        waits.add(new Waiting(wait, awaited));
        awaited.await(Await.PATIENCE);
        model.endWait(wait);
        return true;
    }

    // ---- calls ----

    private void call(Op op, boolean inCallback) throws Exception {
        model.note(op + (inCallback ? "" : " elsewhere"));
        switch (op) {
            case WRITE -> {
                String piece = model.piece();
                model.acts(inCallback, Kind.OUTPUT, () -> model.write(piece));
                connection.write(bytes(piece));
            }
            case WRITE_TWO -> {
                String head = model.piece();
                String body = model.piece();
                model.acts(inCallback, Kind.OUTPUT, () -> model.write(head + body));
                connection.write(bytes(head), bytes(body));
            }
            case FLUSH -> connection.flush();
            case FLOOD -> {
                stopReading();
                String piece = model.flood();
                model.acts(inCallback, Kind.OUTPUT, () -> model.write(piece));
                connection.write(bytes(piece));
            }
            case ASK -> {
                OutputModel.Moment asked = model.moment();
                model.answeredWritable(connection.isWritable(), asked);
            }
            case ROOM -> {
                OutputModel.Moment asked = model.moment();
                model.hadRoom(hasRoom(), asked);
            }
            case SEND_FILE -> {
                model.fileGiven(FILE.length());
                model.acts(inCallback, Kind.OUTPUT, () -> model.write(FILE));
                connection.sendFile(file, 0, FILE.length());
            }
            case PAUSE -> {
                model.acts(inCallback, Kind.READING, model::pause);
                connection.pauseReading();
            }
            case RESUME -> {
                model.acts(inCallback, Kind.READING, model::resume);
                connection.resumeReading();
            }
            case SHUTDOWN -> {
                model.acts(inCallback, Kind.END, model::shutdown);
                connection.shutdownOutput();
            }
            case CLOSE -> {
                model.acts(inCallback, Kind.END, model::close);
                connection.close();
            }
            case ABORT -> {
                model.abort(inCallback);
                connection.abort();
            }
            case DEADLINE -> {
                model.acts(inCallback, Kind.DEADLINE, () -> model.deadline(true));
                connection.deadline(SOON);
            }
            case NO_DEADLINE -> {
                model.acts(inCallback, Kind.DEADLINE, () -> model.deadline(false));
                connection.deadline(StreamTimeouts.NEVER);
            }
            case EXECUTE -> {
                int number = model.number();
                model.task(number, inCallback);
                accept(number, () -> connection.execute(() -> task(number)));
            }
            case WHEN_WRITTEN -> {
                int number = model.number();
                model.acts(inCallback, Kind.OTHER, () -> model.ask(number));
                accept(number, () -> connection.whenWritten((same, failure) -> completed(number, failure)));
            }
            case TIMER, TIMER_EVERY, TIMER_LATE -> schedule(op);
            case CANCEL -> {
                Timer last = timers.peekLast();
                if (last != null) {
                    model.cancelled(last.number, last.task.cancel());
                }
            }
            case MOVE -> {
                shard = (shard + 1) % mode.shards();
                moves.add(connection.moveTo(shard));
            }
            case PROMOTE -> {
                if (inCallback && !model.isGone()) {
                    connection.promoteNewLeader();
                }
            }
            case OFFLOAD -> offload(inCallback);
            case REPLACE -> {
                if (inCallback && !model.isGone() && !model.isBlocking()) {
                    model.replace();
                    connection.replaceHandler(this);
                }
            }
            case BLOCKING -> {
                if (inCallback && !model.isGone()) {
                    block();
                }
            }
            case THROW -> throw new Thrown();
            default -> throw new AssertionError(op);
        }
    }

    private boolean hasRoom() {
        try {
            DecoratorOutput.of(connection).requireRoom(OutputModel.ROOM);
            return true;
        } catch (WriteQueueFullException full) {
            model.require(full.mayRetry(), "a write that fits must be tried again: " + full);
            return false;
        }
    }

    private void block() {
        BlockingConnection given = BlockingConnection.of(connection);
        model.require(view == null || view == given, "\"later calls return the same view\"");
        if (view == null) {
            view = given;
            model.block();
            viewer = new Thread(this::read, "viewer");
            viewer.start();
        }
    }

    /** Reads from the view until the input or the connection ends. */
    private void read() {
        ByteBuffer buffer = ByteBuffer.allocate(2 * Op.MESSAGE);
        try {
            while (view.read(buffer) >= 0) {
                int first = buffer.get(0) & 0xff;
                for (int i = 1; i < buffer.position(); i++) {
                    model.require((buffer.get(i) & 0xff) == (first + i & 0xff), "the view gives bytes in disorder");
                }
                model.viewed(first, buffer.position());
                buffer.clear();
            }
            model.viewedEnd();
        } catch (IOException ended) {
            model.note("the view ends: " + ended);
        }
    }

    private void accept(int number, Runnable call) {
        try {
            call.run();
        } catch (RejectedExecutionException refused) {
            model.note("refused");
            model.refused(number);
        }
    }

    private void schedule(Op op) {
        int number = model.number();
        if (op != Op.TIMER_LATE) {
            model.timer(number);
        }
        accept(number, () -> {
            ScheduledTask task = switch (op) {
                case TIMER -> connection.schedule(Duration.ZERO, () -> timer(number));
                case TIMER_EVERY -> connection.scheduleEvery(Duration.ZERO, HOUR, () -> timer(number));
                default -> connection.schedule(HOUR, () -> timer(number));
            };
            timers.add(new Timer(number, task));
        });
    }

    /** Refused outside a callback, while work is under way, and when the connection is being closed. */
    private void offload(boolean inCallback) {
        boolean mayOffload = inCallback && !model.isOffloading() && !model.isEnding();
        if (mayOffload && (model.endsByMail() || model.mayHaveEnded()) || inCallback && model.isAbortedByOther()) {
            return; // another thread's is no reason for a refusal
        }
        if (mayOffload) {
            model.offload();
        }
        try {
            connection.offload(work::add, () -> "done", (same, result) -> {
                model.begin(Callback.CONTINUATION);
                callback(Callback.CONTINUATION, () -> calls(Callback.CONTINUATION));
            });
            model.require(mayOffload, "\"IllegalStateException outside a callback, …\": offload is accepted");
        } catch (IllegalStateException refused) {
            model.require(!mayOffload, "offload is refused: " + refused);
        }
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}

package org.cabrank.stream.contract.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * The contract of a connection, with one lock and a queue. It is notified of the calls of a program in the order in which they are made, and
 * of each callback when the callback begins and ends; it notes callbacks that the contract does not allow, and knows which are due. Each
 * rule stands behind the sentence of the Javadoc that it is about, in quotation marks.
 */
final class ConnectionModel {
    enum Kind {
        OUTPUT,
        READING,
        DEADLINE,

        /** A question for a completion, or the end of the model's own callback. */
        OTHER,

        /** Close, and end of the output. */
        END,
        TASK
    }

    /**
     * Mail: a call that has not acted, or a task (then there is no action).
     *
     * @param callback the number of the callback in which it was made; -1: in none
     */
    private record Mail(Kind kind, int task, int callback, Runnable action) {}

    /** @param position number of bytes that were written before */
    private record Completion(int number, boolean mustFail, int position) {}

    /** A nested wait, until its callback has returned. */
    static final class Wait {
        private boolean replied;
        private boolean over;

        /** The connection is closed after the callback. */
        private boolean inDeadline;
    }

    private final List<String> log = new ArrayList<>();
    private final List<String> violations = new ArrayList<>();

    private Callback present;
    private boolean isOpened;
    private boolean isClosed;

    /** Calls that have not acted, in their order. */
    private final Deque<Mail> mail = new ArrayDeque<>();

    private final Deque<Completion> completions = new ArrayDeque<>();
    private final Set<Integer> dueTimers = new HashSet<>();
    /** Timers that may have passed before a close that came by mail. */
    private final Set<Integer> earlierTimers = new HashSet<>();

    private final Set<Integer> cancelled = new HashSet<>();
    private final Set<Integer> refused = new HashSet<>();
    private final OutputModel output;

    /** The oldest first. Those of one thread stand one above the other. */
    private final List<Wait> waits = new ArrayList<>();

    private int sent;
    private int shown;
    private int consumed;
    private boolean mustShowAgain;

    /** A pause may hold the end of the input back, or not: so its callback may have begun when another thread closes. */
    private boolean endMayBeUnderWay;

    private boolean mayShowAgain;
    private boolean peerEnded;
    private boolean peerAnswered;
    private boolean endShown;
    private boolean peerReads = true;
    private boolean paused;
    private boolean outputShut;
    private boolean outputDropped;
    private boolean closing;

    /** The connection ends without regard to what is queued: it was aborted, has failed, or was reset. */
    private boolean ended;

    private boolean aborted;
    private boolean abortedInCallback;

    /** The connection ends like that, but other callbacks may come first: it was reset, or has failed outside a callback. */
    private boolean endsSoon;

    /** A deadline has passed whose callback has waited: the connection ends like that, behind offloaded work. */
    private boolean endsBehindWork;

    private Throwable failure;
    private boolean deadlineSet;
    private boolean deadlineRemoved;
    private boolean draining;
    private boolean drainShown;
    private boolean offloading;
    private boolean workDone;

    /** A task has offloaded the work. */
    private boolean ofTask;

    /** A close or an end of the output waits for the continuation that runs. */
    private boolean endWaited;

    /** Callbacks that have ended. */
    private int callbacks;

    private boolean waitedInDeadline;

    /** A deadline has passed, and the mail of the callback has not run. */
    private boolean undecided;

    /** A blocking view has the input. */
    private boolean blocking;

    /** Another thread has written during a callback, or one of the callbacks of completions behind it: the write acts behind them. */
    private boolean writtenMeanwhile;

    /** The queue may have fallen before a close that came by mail. */
    private boolean earlierWritable;

    private boolean peerReset;
    private int written;
    private int numbers;

    /** @param received number of bytes that the peer has read; any thread */
    ConnectionModel(IntSupplier received) {
        output = new OutputModel(received);
    }

    // ---- callbacks ----

    /** A callback other than those below begins. */
    synchronized void begin(Callback callback) {
        log.add(callback.toString());
        writtenMeanwhile = false;
        require(present == null, "callbacks overlap: " + callback + " during " + present);
        require(callback == Callback.OPENED || isOpened, "\"opened: the first call for a connection\": " + callback);
        require(!isClosed, "\"closed: the last call\": " + callback);
        awaitIdle();
        switch (callback) {
            case OPENED -> {
                require(!isOpened, "opened twice");
                isOpened = true;
            }
            case CONTINUATION -> {
                require(offloading && workDone && !ended, "no work has been done");
                offloading = false;
                endWaited = endsByMail();
                mustShowAgain |= consumed < shown;
            }
            case INPUT_CLOSED -> {
                requireInput(callback);
                require(peerEnded && !endShown, "\"the peer will send no more\": " + callback);
                require(shown == sent, "an end in front of bytes: shown " + shown + " of " + sent);
                require(!isWaiting(), "\"inputClosed only when no callback waits any more\"");
                endShown = true;
                consumed = sent;
            }
            case DEADLINE_PASSED -> {
                requireInput(callback);
                require(deadlineSet, "no deadline passes");
                deadlineSet = false;
                deadlineRemoved = false;
                waitedInDeadline = false;
                waits.forEach(wait -> wait.inDeadline = false);
            }
            case DRAINING -> {
                requireInput(callback);
                require(draining, "\"the reactor is being closed\"");
                drainShown = true;
                require(!isWaiting(), "\"has nothing under way\"");
            }
            default -> require(false, "not so: " + callback);
        }
        require(
                !blocking || callback == Callback.CONTINUATION || callback == Callback.DEADLINE_PASSED,
                "the view has the input: " + callback);
        present = callback;
    }

    /** @param queued bytes before the callback */
    synchronized void beginWritable(long queued) {
        log.add("WRITABLE");
        require(present == null, "callbacks overlap: WRITABLE during " + present);
        require(
                queued <= OutputModel.LOW_WATERMARK || !mail.isEmpty() || writtenMeanwhile,
                "\"fallen to the low watermark\": " + queued);
        awaitIdle();
        if (!earlierWritable) {
            requireInput(Callback.WRITABLE);
        }
        earlierWritable = false;
        require(output.becameWritable(), "\"after they had passed the high one, …\"");
        require(!blocking, "the view has writable");
        present = Callback.WRITABLE;
    }

    /** Bytes are shown to the handler: from the first that was not consumed. */
    synchronized void beginData(int first, int count) {
        log.add("DATA " + first + "+" + count);
        writtenMeanwhile = false;
        require(present == null, "callbacks overlap: DATA during " + present);
        require(isOpened && !isClosed, "data before opened or after closed");
        awaitIdle();
        requireInput(Callback.DATA);
        require(
                first == (consumed & 0xff),
                "\"bytes left unread stand in front of the next ones\": " + first + " instead of " + consumed);
        require(consumed + count <= sent, "more bytes than the peer has sent");
        require(consumed + count >= shown, "unread bytes are missing");
        require(consumed + count > shown || mayShowAgain || mustShowAgain, "no bytes have come");
        require(!endShown, "data after inputClosed");
        require(!blocking, "the view has the input: DATA");
        shown = consumed + count;
        mustShowAgain = false;
        mayShowAgain = false;
        present = Callback.DATA;
    }

    synchronized void consumed(int count) {
        consumed += count;
    }

    synchronized void beginTask(int number) {
        beginAnyTime("TASK " + number);
        writtenMeanwhile = false;
        Mail first = mail.peek();
        require(first != null && first.task == number, "\"in the order given\": task " + number);
        mail.removeIf(queued -> queued.task == number);
        present = Callback.TASK;
    }

    synchronized void beginCompletion(int number, Throwable failed) {
        beginAnyTime("COMPLETION " + number + (failed == null ? "" : " " + failed));
        if (failed != null && endsByDeadline()) { // "a deadline acts at once", and the mail is carried out
            ended = true;
            endsSoon = true;
            offloading = false;
            awaitIdle();
        }
        Completion first = completions.poll();
        require(first != null && first.number == number, "\"in the order of the calls\": completion " + number);
        require(
                failed == null || ended || endsSoon || endsByDeadline() || first != null && first.mustFail,
                "completion " + number + " failed: " + failed);
        require(
                failed != null || first == null || !first.mustFail,
                "completion " + number + " of dropped bytes succeeded");
        require(
                failed != null || first == null || output.canHaveTaken(first.position),
                "\"has taken every byte\": completion " + number);
        present = Callback.COMPLETION;
    }

    private void beginAnyTime(String name) {
        log.add(name);
        require(present == null, "callbacks overlap: " + name + " during " + present);
        require(isOpened && !isClosed, name + " before opened or after closed");
        require(!offloading || ended || endsSoon || endsByDeadline(), "\"until then nothing else is called\": " + name);
        awaitIdle();
    }

    synchronized void beginTimer(int number) {
        log.add("TIMER " + number);
        require(present == null, "callbacks overlap: TIMER during " + present);
        awaitIdle();
        if (!earlierTimers.remove(number)) {
            requireInput(Callback.TIMER);
        }
        require(!cancelled.contains(number), "\"no run follows a cancellation\"");
        require(dueTimers.remove(number), "timer " + number + " is not due");
        present = Callback.TIMER;
    }

    synchronized void beginClosed(Throwable cause) {
        log.add("CLOSED " + cause);
        require(present == null, "callbacks overlap: CLOSED during " + present);
        require(!isClosed, "closed twice");
        awaitIdle();
        require(isOpened, "closed without opened");
        boolean deadline = endsByDeadline();
        boolean mayEnd = ended || endsSoon || deadline || isOrderlyEnd();
        require(mayEnd, "closed without a reason: " + cause);
        require(
                cause != null || ended && failure == null || endsSoon || isOrderlyEnd(),
                "closed without the cause " + failure);
        require(cause == null || failure != null || endsSoon || deadline, "closed with " + cause);
        ended |= !isOrderlyEnd();
        offloading = false;
        awaitIdle();
        require(mail.isEmpty(), "\"a task that was accepted runs even if the connection is closed before\": " + mail);
        require(completions.isEmpty(), "\"completions are called before closed\": " + completions);
        isClosed = true;
        present = Callback.CLOSED;
    }

    private boolean endsByDeadline() {
        return deadlineSet && (offloading || closing) || waitedInDeadline;
    }

    /** The callback ends, or lets go of the connection. */
    synchronized void end(Throwable thrown) {
        Callback ending = present;
        present = null;
        callbacks++;
        if (ending == Callback.DEADLINE_PASSED && thrown == null) {
            undecided = true;
            mail.add(new Mail(Kind.OTHER, -1, callbacks, this::decide));
        }
        if (thrown != null) {
            fail(thrown); // "an exception closes the connection and reaches closed"
        }
        if (aborted) {
            end();
        }
        awaitIdle();
    }

    /** "Closed with a DeadlineException after the call, unless …", and behind what was asked for during the call. */
    private void decide() {
        if (undecided) {
            undecided = false;
            if (!deadlineSet && !deadlineRemoved && !closing && !aborted) {
                fail(new IllegalStateException("deadline"));
            }
        }
    }

    /** Its calls act before anything else happens. */
    private boolean hasMailOfCallback() {
        return mail.stream().anyMatch(left -> left.kind != Kind.TASK && left.callback >= 0);
    }

    private void fail(Throwable thrown) {
        if (!isClosed) {
            log.add("fails: " + thrown);
            if (failure == null) {
                failure = thrown;
            }
            end();
        }
    }

    private void end() {
        ended = true;
        offloading = false;
        awaitIdle();
    }

    /** Returns true if {@code begin} of this kind is not against the state of the connection. */
    private void requireInput(Callback callback) {
        require(!offloading, "\"until then nothing else is called for this connection\": " + callback);
        require(
                !closing && !ended
                        || draining && callback == Callback.DRAINING
                        || endMayBeUnderWay && callback == Callback.INPUT_CLOSED,
                "\"no further callback\" of a connection that ends: " + callback);
        require(!paused || callback != Callback.DATA, "\"no further data until resumeReading\"");
    }

    // ---- nested waits ----

    synchronized Wait beginWait() {
        log.add("waits");
        Wait wait = new Wait();
        wait.inDeadline = present == Callback.DEADLINE_PASSED && !deadlineSet && !deadlineRemoved && !closing;
        waitedInDeadline |= wait.inDeadline;
        waits.add(wait);
        mustShowAgain |=
                consumed < shown && present == Callback.DATA; // "what it has not read is given to data again at once"
        mayShowAgain |= consumed < shown;
        present = null;
        awaitIdle();
        return wait;
    }

    synchronized void endWait(Wait wait) {
        log.add("has waited");
        wait.over = true;
    }

    synchronized void endWaited(Wait wait, Throwable thrown) {
        waits.remove(wait);
        if (thrown != null || wait.inDeadline) {
            log.add("fails: " + thrown);
        }
        endsSoon |= thrown != null; // like another thread: "carried out when nobody processes the handle"
        endsBehindWork |= wait.inDeadline; // decided behind the mail of the callback, which waits for offloaded work
    }

    // ---- calls ----

    /** Returns a number for what a call makes: a task, a timer, a completion. */
    synchronized int number() {
        return numbers++;
    }

    /** Returns the next piece to be written. */
    synchronized String piece() {
        String piece = written++ + ";";
        output.give(piece.length());
        return piece;
    }

    /** Returns the next piece to be written, longer than a socket takes whose peer does not read. */
    synchronized String flood() {
        output.give(OutputModel.FLOOD);
        return OutputModel.flood(written++);
    }

    synchronized void fileGiven(int bytes) {
        output.give(bytes);
    }

    synchronized void note(String call) {
        log.add("  " + call);
    }

    /**
     * "Calls act in the order in which they were made, whichever threads make them." In a callback they act behind what was asked for
     * before, up to the first task that is not the callback's own; behind a task they wait for it. "A task, and the continuation of work
     * that a task has offloaded, act before calls that were made after the task was handed over", also in a task that has offloaded.
     * "While work is offloaded, close and shutdownOutput act behind the continuation", and all else before. A change of reading or of
     * the deadline does not wait: it takes the place of earlier ones.
     */
    synchronized void acts(boolean inCallback, Kind kind, Runnable action) {
        if (inCallback && (kind == Kind.READING || kind == Kind.DEADLINE)) {
            if (present != Callback.TASK && !(present == Callback.CONTINUATION && ofTask)) {
                mail.removeIf(earlier -> earlier.kind == kind);
            }
            action.run();
        } else if (!inCallback || offloading && kind == Kind.END && !ended) {
            endMayBeUnderWay |= kind == Kind.END && paused && peerEnded && !endShown;
            mail.add(new Mail(kind, -1, -1, action));
            writtenMeanwhile |= kind == Kind.OUTPUT && present != null;
            awaitIdle();
        } else if (present == Callback.TASK || present == Callback.CONTINUATION && ofTask) {
            action.run();
        } else if (offloading || present == Callback.CONTINUATION && endWaited) {
            catchUp(Kind.END);
            action.run();
        } else if (catchUp(null)) {
            action.run();
        } else {
            mail.add(new Mail(kind, -1, callbacks, action));
        }
    }

    /** Returns false if a task stands in front. */
    private boolean catchUp(Kind except) {
        while (!mail.isEmpty() && mail.peek().kind != Kind.TASK && mail.peek().kind != except) {
            mail.poll().action.run();
        }
        return mail.stream().allMatch(left -> left.kind == Kind.TASK && left.callback == callbacks);
    }

    /** Output goes out past tasks, but not past changes. */
    private void runOutput() {
        for (Mail each : List.copyOf(mail)) {
            if (each.kind == Kind.OUTPUT) {
                mail.remove(each);
                each.action.run();
            } else if (each.kind != Kind.TASK) {
                return;
            }
        }
    }

    /** "When no callback runs", and not during offloaded work. */
    private void awaitIdle() {
        if (present == null && !offloading) {
            catchUp(null);
        }
        if (present == null && offloading && hasMailOfCallback()) {
            runOutput();
            decide();
        }
    }

    synchronized void write(String piece) {
        if (takesOutput()) {
            output.write(piece.getBytes(StandardCharsets.ISO_8859_1), peerReads);
        } else {
            outputDropped = true; // "the bytes are dropped"
            if (isLossy() && !closing && !outputShut) {
                output.mayArrive(
                        piece.getBytes(StandardCharsets.ISO_8859_1)); // the connection may have ended behind it
            }
        }
    }

    private boolean takesOutput() {
        return !closing && !outputShut && !ended && !abortedInCallback && !isClosed;
    }

    synchronized void ask(int number) {
        if (!refused.contains(number)) {
            completions.add(new Completion(number, outputDropped, output.size()));
        }
    }

    synchronized void task(int number, boolean inCallback) {
        mail.add(new Mail(Kind.TASK, number, inCallback ? callbacks : -1, null));
    }

    /** The call that made it was refused. */
    synchronized void refused(int number) {
        mail.removeIf(queued -> queued.task == number);
        completions.removeIf(completion -> completion.number == number);
        refused.add(number);
        dueTimers.remove(number);
        require(ended || isClosed || aborted || endsSoon || endsBehindWork || mayHaveEnded(), "refused: " + number);
    }

    synchronized void timer(int number) {
        dueTimers.add(number);
    }

    synchronized void cancelled(int number, boolean would) {
        require(!would || !isClosed, "cancelled a timer of a closed connection");
        if (would) {
            cancelled.add(number);
            dueTimers.remove(number);
        }
    }

    synchronized void pause() {
        paused = true;
        mayShowAgain |= consumed < shown;
    }

    synchronized void resume() {
        mustShowAgain |= paused && consumed < shown;
        mayShowAgain |= consumed < shown;
        paused = false;
    }

    synchronized void shutdown() {
        outputShut = true;
    }

    synchronized void close() {
        if (present == null && !closing) {
            earlierTimers.addAll(dueTimers);
            earlierWritable = true;
        }
        closing = true;
        deadlineSet = false; // "a deadline is void from this call on"
    }

    synchronized void abort(boolean inCallback) {
        aborted = true;
        abortedInCallback |= inCallback;
        if (present == null && !inCallback) {
            end();
        }
    }

    synchronized void deadline(boolean set) {
        if (!closing) {
            deadlineSet = set;
            deadlineRemoved = !set;
            waits.forEach(wait ->
                    wait.inDeadline = false); // "unless the deadline was replaced, or removed, in that callback"
        }
    }

    synchronized void offload() {
        ofTask = present == Callback.TASK || present == Callback.CONTINUATION && ofTask;
        offloading = true;
        workDone = false;
    }

    synchronized void replace() {
        mustShowAgain |= consumed < shown; // "given to next at once"
        endShown =
                false; // "and so is the end of the peer's output, even if the former handler was notified of that end"
    }

    /** "The view replaces the handler." */
    synchronized void block() {
        replace();
        blocking = true;
    }

    synchronized OutputModel.Moment moment() {
        return output.moment();
    }

    synchronized void answeredWritable(boolean writable, OutputModel.Moment asked) {
        if (mayBeWritten()) {
            require(
                    output.answered(writable, asked),
                    "isWritable answers " + writable + " with " + output.pending() + " bytes pending");
        }
    }

    synchronized void hadRoom(boolean room, OutputModel.Moment asked) {
        if (mayBeWritten()) {
            require(output.hadRoom(room, asked), "room: " + room + " with " + output.pending() + " bytes pending");
        }
    }

    private boolean mayBeWritten() {
        return takesOutput() && !isLossy() && !endsByDeadline() && !endsByMail();
    }

    // ---- the blocking view ----

    /** The thread that reads from the view has read bytes. */
    synchronized void viewed(int first, int count) {
        log.add("reads " + first + "+" + count);
        require(first == (consumed & 0xff), "the view gives byte " + first + " instead of " + consumed);
        consumed += count;
        shown = Math.max(shown, consumed);
        require(consumed <= sent, "more bytes than the peer has sent");
    }

    /** That thread sees the end of the input. */
    synchronized void viewedEnd() {
        log.add("reads the end");
        require(peerEnded && consumed == sent, "an end in front of bytes: read " + consumed + " of " + sent);
        endShown = true;
    }

    /** The view knows of the drain. */
    synchronized void viewDrains() {
        require(draining, "\"the reactor is being closed\"");
        drainShown = true;
    }

    synchronized boolean isBlocking() {
        return blocking;
    }

    // ---- peer and test ----

    /** Returns the value of the first byte. */
    synchronized int send(int count) {
        log.add("peer sends");
        int first = sent;
        sent += count;
        return first;
    }

    synchronized void peerEnds() {
        log.add("peer ends");
        peerEnded = true;
    }

    /** The peer has seen the end of the output and ends too, in answer to a close. */
    synchronized void peerAnswersEnd() {
        peerAnswered = true;
    }

    synchronized void peerResets() {
        log.add("peer resets");
        peerReset = true;
        endsSoon = true;
        peerEnded = true;
    }

    synchronized void peerReads(boolean on) {
        peerReads = on;
    }

    synchronized void replied(Wait wait) {
        log.add("reply");
        wait.replied = true;
    }

    synchronized void workDone() {
        log.add("work done");
        workDone = true;
    }

    synchronized void drains() {
        log.add("drains");
        draining = true;
    }

    // ---- what is due ----

    /** "After an orderly close by either side." */
    private boolean isOrderlyEnd() {
        boolean mayHaveShownEnd = endShown || blocking && peerEnded; // the view learns of the end before its reader
        return closing && !offloading && (peerReads || peerEnded || peerAnswered)
                || outputShut && mayHaveShownEnd && !offloading;
    }

    /** "A task that was accepted runs even if the connection is closed before; then it is no callback." */
    synchronized boolean mayHaveEnded() {
        return isOrderlyEnd() && (present == Callback.TASK || present == Callback.COMPLETION);
    }

    /** Returns true if the connection must end without another step. */
    private boolean mustEnd(boolean queued) {
        // "If bytes are queued, their send fails, and the received bytes wait for resumeReading", and for offloaded
        // work
        boolean heldBack = peerReset && queued && !closing && (paused || offloading);
        boolean inOrder = isOrderlyEnd() && !queued && (closing || endShown);
        boolean decided = endsBehindWork && !offloading;
        return ended || endsSoon && !heldBack || decided || inOrder || deadlineSet && offloading;
    }

    /** Returns true if the socket takes no more. */
    synchronized boolean isQueued() {
        return output.mayBeQueued() && (!peerReads || peerReset);
    }

    /** Returns true if the peer has read all that was written. */
    synchronized boolean isAllRead() {
        return output.pending() == 0;
    }

    /** Returns what is due and has not happened; null: nothing, until the next step. */
    synchronized String due() {
        if (!violations.isEmpty()) {
            return null;
        }
        boolean queued = isQueued();
        boolean mayCall = isOpened && !closing && !ended && !offloading && !isClosed;
        boolean ends = mustEnd(queued);
        boolean receives = mayCall && !paused && !endsSoon && !queued; // "above the high watermark reading pauses"
        if (!isOpened) {
            return "opened";
        } else if (present != null) {
            return "the end of " + present;
        } else if (!waits.isEmpty() && waits.get(waits.size() - 1).replied) {
            return "the return of a callback that has waited";
        } else if (offloading && workDone) {
            return "the continuation";
        } else if (!offloading && !mail.isEmpty()) {
            return "mail " + mail;
        } else if (!offloading && !queued && !completions.isEmpty()) {
            return "completions " + completions;
        } else if (mayCall && !dueTimers.isEmpty() && !ends) {
            return "timers " + dueTimers;
        } else if (mayCall && deadlineSet) {
            return "deadlinePassed";
        } else if (receives && (shown < sent || (mustShowAgain || blocking) && consumed < sent)) {
            return "data " + consumed + ", shown " + shown + " of " + sent;
        } else if (receives && peerEnded && !endShown && !isWaiting()) {
            return "inputClosed";
        } else if (!isClosed && ends && !(isWaiting() && outputShut && !closing)) {
            return "closed";
        } else if (mayCall && draining && !drainShown && !queued && !isWaiting()) {
            return "the drain";
        } else if (mayCall && output.isWritableDue() && !queued && !ends && !blocking) {
            return "writable";
        } else if (!isLossy() && peerReads && !(offloading && output.wasFull()) && output.pending() > 0) {
            // "as far as the socket takes it at once": no more during offloaded work
            return "bytes: " + output.pending() + " of " + output.size();
        }
        return null;
    }

    /** Returns true if bytes that were written need not arrive. */
    synchronized boolean isLossy() {
        return ended || aborted || endsSoon || endsBehindWork || deadlineSet && offloading;
    }

    synchronized boolean isClosed() {
        return isClosed;
    }

    synchronized boolean isEnding() {
        return ended || aborted || isClosed || closing;
    }

    synchronized boolean isGone() {
        return ended || aborted || isClosed;
    }

    synchronized boolean isOffloading() {
        return offloading;
    }

    /** Returns the number of callbacks that wait. */
    synchronized int waitCount() {
        return (int) waits.stream().filter(wait -> !wait.over).count();
    }

    private boolean isWaiting() {
        return waitCount() > 0;
    }

    /** Returns true if another thread has aborted the connection. */
    synchronized boolean isAbortedByOther() {
        return aborted && !abortedInCallback;
    }

    /** Returns true if a close or an end of the output was asked for and has not acted. */
    synchronized boolean endsByMail() {
        return mail.stream().anyMatch(queued -> queued.kind == Kind.END);
    }

    synchronized boolean hasPeerEnded() {
        return peerEnded;
    }

    /** Returns true if {@link org.cabrank.stream.Connection#isReceiving} should return true; the present callback has replaced no handler. */
    synchronized boolean isReceiving() {
        return !closing && !paused && !offloading && !ended && !aborted;
    }

    /** Returns what arrives; of a connection that {@link #isLossy}, a part from the beginning. */
    synchronized byte[] output() {
        return output.bytes();
    }

    synchronized void require(boolean holds, String rule) {
        if (!holds) {
            violations.add(rule);
            log.add("*** " + rule);
        }
    }

    synchronized List<String> violations() {
        return List.copyOf(violations);
    }

    synchronized String log() {
        return String.join("\n  ", log);
    }
}

package org.cabrank.iouring;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;

/** A kernel whose io_uring_enter(2) answers by plan, and then by itself. It remembers how it was called. */
public final class RefusingEnter extends ForwardingKernel {
    public record Call(int toSubmit, int minComplete, int flags) {}

    private final Queue<Integer> answers = new ArrayDeque<>();
    private final Queue<Integer> limits = new ArrayDeque<>();
    private final List<Call> calls = Collections.synchronizedList(new ArrayList<>());

    public RefusingEnter(Kernel next) {
        super(next);
    }

    /** The next calls are not passed on, and answer so. */
    void answer(int result, int times) {
        answers.addAll(Collections.nCopies(times, result));
    }

    /** The next calls that submit are passed on for so many submissions only. They come before what is to be answered. */
    void takeOnly(int submissions, int times) {
        limits.addAll(Collections.nCopies(times, submissions));
    }

    /** Forgets the plan. */
    void answerByItself() {
        answers.clear();
    }

    /** Calls since the last look, passed on or not. */
    public List<Call> takeCalls() {
        List<Call> taken = List.copyOf(calls);
        calls.clear();
        return taken;
    }

    @Override
    public int ioUringEnter(int fd, int toSubmit, int minComplete, int flags, long arg, long argBytes) {
        calls.add(new Call(toSubmit, minComplete, flags));
        Integer limit = toSubmit > 0 ? limits.poll() : null;
        if (limit != null) {
            return next().ioUringEnter(fd, Math.min(toSubmit, limit), minComplete, flags, arg, argBytes);
        }
        Integer planned = answers.poll();
        return planned != null ? planned : next().ioUringEnter(fd, toSubmit, minComplete, flags, arg, argBytes);
    }
}

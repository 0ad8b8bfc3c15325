package org.cabrank.bench.serve;

/**
 * What a handler does before it answers, simulated: it computes, and now and then it blocks. Every server of the bench uses
 * this one class, so that all have the same work. Any thread.
 */
public record HandlerWork(BusyWork busy, SlowRequests slow) {

    /** Nothing: the answer is sent at once. */
    public static final HandlerWork NONE = new HandlerWork(BusyWork.NONE, SlowRequests.NONE);

    /** Called once per request, before its answer. */
    public void perform() {
        if (busy.steps() != 0) {
            busy.perform();
        }
        slow.perhapsBlock();
    }
}

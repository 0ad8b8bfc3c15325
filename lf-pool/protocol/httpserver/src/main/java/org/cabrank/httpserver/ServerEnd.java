package org.cabrank.httpserver;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.stream.Connection;
import org.cabrank.stream.Listener;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.WriteCompletion;
import org.cabrank.stream.transport.StreamConnection;

record ServerEnd(StreamReactor reactor, Listener listener, ServedExchanges exchanges) {
    private static final long IDLE_END_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Ends the server. Gives exchanges and answers {@code delay} seconds. Returns when connections are closed and the address is free. */
    void run(int delay) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(delay);
        listener.close();
        boolean complete = false;
        boolean interrupted = false;
        try {
            complete = exchanges.awaitNone(deadlineNs - System.nanoTime()) && areAnswersTaken(deadlineNs);
            within(
                    IDLE_END_NS,
                    listener.closed()); // by then, the last connection that the kernel has completed is accepted
        } catch (InterruptedException stop) {
            interrupted = true;
        }
        reactor.connections().forEach(one -> StreamConnection.below(one).drainWithoutPeer());
        if (!complete) {
            awaitIdleConnections();
            reactor.connections().forEach(Connection::abort);
        }
        reactor.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until connections without an exchange are closed. The wait is short, because all threads may be busy with handlers. */
    private void awaitIdleConnections() {
        long deadlineNs = System.nanoTime() + IDLE_END_NS;
        while (reactor.connections().size() > exchanges.counters().active() && System.nanoTime() - deadlineNs < 0) {
            LockSupport.parkNanos(this, LOOK_NS);
        }
    }

    /** Waits until the kernel has taken all written bytes, or their connections are gone. Returns false if the time is over first. */
    private boolean areAnswersTaken(long deadlineNs) throws InterruptedException {
        CompletableFuture<?>[] answers = reactor.connections().stream()
                .filter(one -> one.queuedBytes() > 0)
                .map(WriteCompletion::future)
                .toArray(CompletableFuture[]::new);
        return answers.length == 0
                || within(Math.max(0, deadlineNs - System.nanoTime()), CompletableFuture.allOf(answers));
    }

    private static boolean within(long timeoutNs, CompletableFuture<?> future) throws InterruptedException {
        try {
            future.get(timeoutNs, TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException gone) {
            return true;
        } catch (TimeoutException late) {
            return false;
        }
    }
}

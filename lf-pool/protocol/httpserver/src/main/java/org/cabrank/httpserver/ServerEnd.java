package org.cabrank.httpserver;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.cabrank.stream.Connection;
import org.cabrank.stream.Listener;
import org.cabrank.stream.StreamReactor;

/** The end of a server that has served. */
record ServerEnd(StreamReactor reactor, Listener listener, ServedExchanges exchanges) {
    /**
     * Returns when the connections are closed and the address is free.
     *
     * @param delay seconds that exchanges may still take, and their answers to reach the kernel
     */
    void bringAbout(int delay) {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(delay);
        listener.close();
        boolean complete = false;
        boolean interrupted = false;
        try {
            complete = exchanges.awaitNone(deadlineNs - System.nanoTime()) && areAnswersTaken(deadlineNs);
        } catch (InterruptedException stop) {
            interrupted = true;
        }
        if (!complete) {
            reactor.connections().forEach(Connection::abort);
        }
        reactor.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits until the kernel has what was written, or the connections that do not take their answers are gone. */
    private boolean areAnswersTaken(long deadlineNs) throws InterruptedException {
        CompletableFuture<?>[] answers = reactor.connections().stream()
                .filter(one -> one.queuedBytes() > 0)
                .map(Connection::written)
                .toArray(CompletableFuture[]::new);
        if (answers.length == 0) {
            return true;
        }
        try {
            CompletableFuture.allOf(answers).get(Math.max(0, deadlineNs - System.nanoTime()), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException gone) {
            return true;
        } catch (TimeoutException late) {
            return false;
        }
    }
}

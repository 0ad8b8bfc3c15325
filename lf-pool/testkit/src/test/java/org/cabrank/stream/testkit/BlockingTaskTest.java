package org.cabrank.stream.testkit;

import static org.cabrank.stream.testkit.BlockingViews.NEW_THREADS;
import static org.cabrank.stream.testkit.BlockingViews.until;
import static org.cabrank.stream.testkit.BlockingViews.write;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.stream.BlockingHandlers;
import org.cabrank.stream.BlockingTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tasks that serve a connection by blocking calls, and the end of their connections. */
@Timeout(300)
class BlockingTaskTest {
    @Test
    void aTaskServesAConnectionFromBeginningToEnd() {
        BlockingTask task = connection -> {
            int value = connection.inputStream().read();
            while (value >= 0) {
                connection.outputStream().write(value + 1);
                value = connection.inputStream().read();
            }
            write(connection, ".");
        };
        try (EmbeddedConnection peer =
                EmbeddedConnection.open(BlockingHandlers.of(NEW_THREADS, task).get())) {
            peer.peerSends("HAL");
            StringBuilder got = new StringBuilder();
            until(() -> got.append(peer.peerReceives()).length() == 3);
            peer.peerEnds();
            until(peer::isClosed);
            assertEquals("IBM.", got.append(peer.peerReceives()).toString());
            assertNull(peer.closeCause());
            assertTrue(peer.isOutputEnded());
        }
    }

    @Test
    void aTaskThatThrowsEndsTheConnectionWithItsException() {
        IOException wrong = new IOException("no such account");
        try (EmbeddedConnection peer = EmbeddedConnection.open(BlockingHandlers.of(NEW_THREADS, connection -> {
                    write(connection, "sorry");
                    throw wrong;
                })
                .get())) {
            until(peer::isClosed);
            assertSame(wrong, peer.closeCause());
            assertEquals("sorry", peer.peerReceives());
        }
    }

    @Test
    void aTaskThatFailsBecauseItsConnectionHasEndedIsNoFailure() {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
        Executor watched = task -> {
            Thread thread = new Thread(() -> {
                task.run();
                uncaught.complete(null);
            });
            thread.setUncaughtExceptionHandler((dead, failure) -> uncaught.complete(failure));
            thread.start();
        };
        try (EmbeddedConnection peer = EmbeddedConnection.open(BlockingHandlers.of(watched, connection -> {
                    try {
                        connection.inputStream().read();
                    } catch (IOException ended) {
                        thrown.set(ended);
                        throw new IllegalStateException("the session is broken", ended);
                    }
                })
                .get())) {
            peer.peerResets();
            assertNull(uncaught.orTimeout(120, TimeUnit.SECONDS).join());
            assertTrue(
                    thrown.get().getMessage().contains("ECONNRESET"),
                    thrown.get().getMessage());
            assertSame(peer.closeCause(), thrown.get().getCause());
        }
    }

    @Test
    void aFailureAfterTheEndOfTheConnectionReachesTheThreadsOwner() {
        CompletableFuture<Throwable> uncaught = new CompletableFuture<>();
        CompletableFuture<Void> gone = new CompletableFuture<>();
        IllegalStateException wrong = new IllegalStateException("the ledger does not add up");
        Executor watched = task -> {
            Thread thread = new Thread(task);
            thread.setUncaughtExceptionHandler((dead, failure) -> uncaught.complete(failure));
            thread.start();
        };
        try (EmbeddedConnection peer = EmbeddedConnection.open(BlockingHandlers.of(watched, connection -> {
                    gone.join();
                    throw wrong;
                })
                .get())) {
            peer.peerResets();
            assertTrue(peer.isClosed());
            gone.complete(null);
            assertSame(wrong, uncaught.orTimeout(120, TimeUnit.SECONDS).join());
        }
    }

    @Test
    void anExecutorThatRefusesTheTaskEndsTheConnection() {
        Executor full = task -> {
            throw new RejectedExecutionException("no thread is free");
        };
        try (EmbeddedConnection peer = EmbeddedConnection.open(
                BlockingHandlers.of(full, connection -> {}).get())) {
            assertTrue(peer.isClosed());
            assertInstanceOf(RejectedExecutionException.class, peer.closeCause());
        }
    }
}

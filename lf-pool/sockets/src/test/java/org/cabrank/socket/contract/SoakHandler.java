package org.cabrank.socket.contract;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.lf.NestingLimitException;
import org.cabrank.lf.Reply;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionContinuation;
import org.cabrank.stream.ConnectionHandler;

/**
 * One connection of a soak server: echoes messages, each in the way that its header asks for.
 *
 * <pre>
 * | payload length 4 | connection 4 | sequence 4 | command 4 | payload |
 * </pre>
 */
final class SoakHandler implements ConnectionHandler {
    static final int HEADER_BYTES = 4 * Integer.BYTES;

    private static final int CONNECTION_AT = 4;
    private static final int SEQUENCE_AT = 8;
    private static final int COMMAND_AT = 12;
    private static final long SLEEP_NS = 1_000_000;

    private final SoakLedger ledger;
    private final int shards;

    /** The callback that runs now; null between callbacks. */
    private final AtomicReference<Object> inside = new AtomicReference<>();

    private final AtomicInteger opens = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();

    // By callbacks.

    private final Deque<byte[]> pending = new ArrayDeque<>();
    private int number = -1;
    private int expected;

    /** A message is answered outside a callback; those behind it wait. */
    private boolean busy;

    private boolean inputClosed;
    private boolean ended;

    SoakHandler(SoakLedger ledger, int shards) {
        this.ledger = ledger;
        this.shards = shards;
    }

    @Override
    public void opened(Connection connection) {
        ledger.opened.incrementAndGet();
        if (opens.incrementAndGet() != 1) {
            ledger.error("connection " + connection.id() + " was opened " + opens + " times");
        }
    }

    @Override
    public void data(Connection connection, ByteBuffer data) throws Exception {
        Object callback = enter(connection);
        try {
            while (data.remaining() >= HEADER_BYTES) {
                int bytes = HEADER_BYTES + data.slice().getInt(); // big endian
                if (data.remaining() < bytes) {
                    break;
                }
                byte[] message = new byte[bytes];
                data.get(message);
                pending.add(checked(message));
            }
            obeyAll(connection, callback);
        } finally {
            leave(callback);
        }
    }

    @Override
    public void inputClosed(Connection connection, ByteBuffer unread) throws Exception {
        Object callback = enter(connection);
        try {
            inputClosed = true;
            obeyAll(connection, callback);
        } finally {
            leave(callback);
        }
    }

    @Override
    public void closed(Connection connection, Throwable cause) {
        Object callback = enter(connection);
        ledger.closed.incrementAndGet();
        if (closes.incrementAndGet() != 1) {
            ledger.error("connection " + connection.id() + " was closed " + closes + " times");
        }
        if (!SoakLog.isExpected(cause)) {
            ledger.error("connection " + connection.id() + " was closed because of " + cause);
        }
        leave(callback);
    }

    private Object enter(Connection connection) {
        Object callback = new Object();
        if (!inside.compareAndSet(null, callback)) {
            ledger.error("two callbacks of connection " + connection.id() + " at a time");
        }
        if (closes.get() > 0) {
            ledger.error("connection " + connection.id() + " was called after its end");
        }
        return callback;
    }

    private void leave(Object callback) {
        inside.compareAndSet(callback, null);
    }

    private byte[] checked(byte[] message) {
        ByteBuffer header = ByteBuffer.wrap(message);
        int connection = header.getInt(CONNECTION_AT);
        int sequence = header.getInt(SEQUENCE_AT);
        if (number < 0) {
            number = connection;
        }
        if (connection != number || sequence != expected) {
            String wrong = "received message " + sequence + " of " + connection + ", expected message " + expected
                    + " of " + number;
            ledger.error(wrong);
            throw new IllegalStateException(wrong);
        }
        expected++;
        return message;
    }

    private void obeyAll(Connection connection, Object callback) throws Exception {
        while (!busy && !ended && !pending.isEmpty()) {
            byte[] message = pending.remove();
            SoakCommand command = SoakCommand.of(ByteBuffer.wrap(message).getInt(COMMAND_AT));
            if (command == SoakCommand.AWAIT_REPLY) {
                awaitReply(connection, ByteBuffer.wrap(message), callback);
                return; // another callback may run now
            }
            if (command.endsConnection()) {
                ended = true;
                end(connection, command);
            } else {
                obey(connection, command, ByteBuffer.wrap(message));
            }
        }
        if (inputClosed && !busy && !ended) {
            ended = true;
            connection.close();
        }
    }

    private void obey(Connection connection, SoakCommand command, ByteBuffer message) {
        switch (command) {
            case ECHO -> connection.write(message);
            case SLEEP -> {
                LockSupport.parkNanos(SLEEP_NS);
                connection.write(message);
            }
            case PROMOTE -> {
                connection.flush();
                connection.promoteNewLeader();
                LockSupport.parkNanos(SLEEP_NS);
                connection.write(message);
            }
            case OFFLOAD -> {
                busy = true;
                offload(connection, () -> message, (resumed, answer) -> {
                    resumed.write(answer);
                    goOn(resumed);
                });
            }
            case WRITE_FROM_OUTSIDE -> {
                busy = true;
                ledger.outside(0, () -> {
                    connection.write(message);
                    goOnLater(connection);
                });
            }
            case EXECUTE_FROM_OUTSIDE -> {
                busy = true;
                ledger.outside(0, () -> {
                    ledger.execute(connection, () -> connection.write(message));
                    goOnLater(connection);
                });
            }
            case PAUSE -> {
                busy = true;
                connection.pauseReading();
                ledger.outside(SLEEP_NS, () -> {
                    connection.resumeReading();
                    connection.write(message);
                    goOnLater(connection);
                });
            }
            case MOVE -> {
                ledger.move(connection, shards);
                connection.write(message);
            }
            default -> throw new AssertionError(command);
        }
    }

    /** Lets go of the connection while it waits. Afterwards this thread is not in a callback any more. */
    private void awaitReply(Connection connection, ByteBuffer message, Object callback) throws Exception {
        busy = true;
        Reply<ByteBuffer> reply = connection.newReply();
        ledger.outside(0, () -> reply.complete(message));
        leave(callback);
        try {
            connection.write(reply.await(Duration.ofNanos(Await.PATIENCE_NS)));
        } catch (NestingLimitException tooDeep) {
            connection.write(message);
        } catch (ExecutionException | TimeoutException lost) {
            ledger.error("a reply was lost: " + lost);
            throw lost;
        }
        goOnLater(connection);
    }

    private void end(Connection connection, SoakCommand command) {
        switch (command) {
            case CLOSE -> connection.close();
            case ABORT -> connection.abort();
            case ABORT_FROM_OUTSIDE -> ledger.outside(0, connection::abort);
            case THROW -> throw ledger.onPurpose();
            case THROW_IN_TASK ->
                ledger.execute(connection, () -> {
                    throw ledger.onPurpose();
                });
            case THROW_IN_OFFLOAD -> offload(connection, this::throwUncounted, new CountsFailure());
            case THROW_IN_CONTINUATION ->
                offload(connection, () -> 0, (resumed, answer) -> {
                    throw ledger.onPurpose();
                });
            case OVERFLOW_STACK -> ledger.overflowStackOnPurpose();
            case OVERFLOW_STACK_IN_TASK -> ledger.execute(connection, ledger::overflowStackOnPurpose);
            case THROW_OUT_OF_MEMORY -> throw ledger.outOfMemoryOnPurpose();
            case THROW_OUT_OF_MEMORY_IN_CONTINUATION ->
                offload(connection, () -> 0, (resumed, answer) -> {
                    throw ledger.outOfMemoryOnPurpose();
                });
            default -> throw new AssertionError(command);
        }
    }

    /** A task may run when the connection is being closed already, because its peer has reset it. */
    private <T> void offload(Connection connection, Callable<T> work, ConnectionContinuation<? super T> continuation) {
        try {
            connection.offload(ledger.executor(), work, continuation);
        } catch (IllegalStateException closing) {
            ended = true;
        }
    }

    private Object throwUncounted() {
        throw new IllegalStateException(SoakLog.ON_PURPOSE);
    }

    /** Counts a failure of offloaded work if the connection is there to have it. */
    private final class CountsFailure implements ConnectionContinuation<Object> {
        @Override
        public void resume(Connection connection, Object result) {
            throw new AssertionError(result);
        }

        @Override
        public void failed(Connection connection, Throwable failure) {
            throw ledger.onPurpose();
        }
    }

    private void goOnLater(Connection connection) {
        ledger.execute(connection, () -> {
            try {
                if (closes.get() == 0) {
                    goOn(connection);
                }
            } catch (RuntimeException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private void goOn(Connection connection) throws Exception {
        Object callback = enter(connection);
        try {
            busy = false;
            obeyAll(connection, callback);
        } finally {
            leave(callback);
        }
    }
}

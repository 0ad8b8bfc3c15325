package org.cabrank.resp;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.WriteQueueFullException;

/**
 * Cuts the bytes of one connection into commands, and calls the connection's command handler. Replies of one call of {@link #data} are
 * gathered. Stops between two commands when the peer does not take its replies, and continues when the queue of the connection has
 * fallen to the low watermark.
 */
final class CommandDecoder implements ConnectionHandler {
    /** Bytes of an incomplete command that are left unread; the unread limit of the connection may be lower. */
    private static final int UNREAD_BYTES_MAX = 16 << 10;

    private final RespHandler handler;
    private final RespVersion version = new RespVersion();
    private final CommandParser parser;

    /** The command that is parsed or handled; another one after a handler has waited for a reply. */
    private RespCommand command = new RespCommand();

    /** The writer of the connection; another one after a handler has waited for a reply. */
    private RespWriter writer;

    /** An incomplete command that does not stay unread; null: there is none. */
    private PendingCommand pending;

    /** The peer has sent bytes that are no command. */
    private boolean malformed;

    /** Reading is paused because the peer does not take its replies. */
    private boolean paused;

    CommandDecoder(RespLimits limits, RespHandler handler) {
        this.handler = handler;
        this.parser = new CommandParser(limits);
    }

    private RespWriter writer(Connection connection) {
        if (writer == null) {
            writer = new RespWriter(connection, version);
        }
        return writer;
    }

    @Override
    public void opened(Connection connection) throws Exception {
        handler.opened(connection, writer(connection));
    }

    @Override
    public void data(Connection connection, ByteBuffer data) throws Exception {
        RespWriter ofBatch = writer(connection);
        ofBatch.beginBatch();
        boolean done = false;
        try {
            handleCommands(connection, data, ofBatch);
            done = true;
        } finally {
            endBatch(ofBatch, done);
        }
    }

    private static void endBatch(RespWriter ofBatch, boolean done) {
        try {
            ofBatch.endBatch();
        } catch (WriteQueueFullException full) {
            if (done) { // otherwise an exception is on its way, which is the cause of the end
                throw full;
            }
        }
    }

    private void handleCommands(Connection connection, ByteBuffer data, RespWriter ofBatch) throws Exception {
        if (malformed) {
            data.position(data.limit());
            return;
        }
        while (data.hasRemaining() && parse(connection, data, ofBatch)) {
            RespCommand own = command;
            if (own.count() > 0) {
                handler.command(connection, own, ofBatch);
            }
            if (own != command) {
                return; // the handler has waited: other callbacks continue behind this command
            }
            own.clear();
            if (!connection.isReceiving() || !peerTakesReplies(connection, ofBatch)) {
                return;
            }
        }
    }

    /** Returns true if a command is complete, and {@code data} stands behind the command. */
    private boolean parse(Connection connection, ByteBuffer data, RespWriter ofBatch) throws Exception {
        try {
            return pending == null ? parseIn(connection, data) : parsePending(data);
        } catch (RespException noCommand) {
            malformed = true;
            pending = null;
            data.position(data.limit());
            handler.malformed(connection, noCommand, ofBatch);
            ofBatch.close();
            return false;
        }
    }

    private boolean parseIn(Connection connection, ByteBuffer data) throws RespException {
        int bytes = parser.parse(data, command);
        if (bytes > 0) {
            data.position(data.position() + bytes);
            return true;
        }
        int unreadMax = Math.min(UNREAD_BYTES_MAX, connection.limits().unreadLimit() / 2);
        if (Math.max(data.remaining(), parser.needed()) > unreadMax) {
            pending = new PendingCommand(2 * data.remaining());
            pending.append(data);
        }
        return false;
    }

    private boolean parsePending(ByteBuffer data) throws RespException {
        pending.append(data);
        int bytes = parser.parse(pending.bytes(), command);
        if (bytes == 0) {
            return false;
        }
        int behind = pending.bytes().limit() - bytes; // all of them have arrived with these bytes
        data.position(data.position() - behind);
        pending = null;
        return true;
    }

    /** Returns true if the next command may be handled. */
    private boolean peerTakesReplies(Connection connection, RespWriter ofBatch) {
        if (!ofBatch.wroteInBatch() || connection.isWritable()) {
            return true;
        }
        connection.flush(); // gathered bytes count, and the socket may take all of them
        if (connection.isWritable()) {
            return true;
        }
        paused = true;
        connection.pauseReading();
        return false;
    }

    /**
     * The memory of the command and the buffer of the replies serve other connections during the wait, and other callbacks of this
     * connection run: they get a command and a writer of their own.
     */
    @Override
    public void beforeNestedWait(Connection connection) {
        handler.beforeNestedWait(connection);
        if (writer != null) {
            writer.endBatch();
            writer = null;
            command.expire();
            command = new RespCommand();
            ArgumentViews.forget();
        }
    }

    @Override
    public void writable(Connection connection) throws Exception {
        if (paused) {
            paused = false;
            connection.resumeReading();
        }
        handler.writable(connection);
    }

    @Override
    public void deadlinePassed(Connection connection) throws Exception {
        handler.deadlinePassed(connection);
    }

    @Override
    public void inputClosed(Connection connection, ByteBuffer unread) throws Exception {
        handler.inputClosed(connection);
    }

    @Override
    public void draining(Connection connection) throws Exception {
        handler.draining(connection);
    }

    @Override
    public void closed(Connection connection, Throwable cause) {
        handler.closed(connection, cause);
    }
}

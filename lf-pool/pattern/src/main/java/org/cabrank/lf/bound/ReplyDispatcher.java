package org.cabrank.lf.bound;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;

/** Handler of a shared connection: hands each reply to the thread that waits for it. */
final class ReplyDispatcher<K, R> implements EventHandler {
    /** Maximum number of reads for one event. After that, other handles get their turn. */
    private static final int ROUNDS_MAX = 4;

    private final BoundChannel channel;
    private final ReplyParser<K, R> parser;
    private final ReplyTable<K, R> table;
    private final SharedOutput output;
    private final MessageBuffer messages;

    ReplyDispatcher(
            BoundChannel channel,
            ReplyParser<K, R> parser,
            ReplyTable<K, R> table,
            SharedOutput output,
            int messageMaxBytes) {
        this.channel = channel;
        this.parser = parser;
        this.table = table;
        this.output = output;
        this.messages = new MessageBuffer(messageMaxBytes);
    }

    /** After a failed send, received replies are still delivered before the close, because the peer may have answered before it closed. */
    @Override
    public void handleEvent(Handle handle, int ready) throws Exception {
        try {
            boolean sent = flush();
            if (receive()) {
                handle.post(Ready.READ);
            } else if (output.broken() != null) {
                handle.closeBecauseOf(output.broken());
                return;
            }
            channel.wantRoom(!sent);
        } catch (IOException ended) {
            handle.closeBecauseOf(output.broken() == null ? ended : output.broken());
        }
    }

    /** Returns true if nothing is left to send, because all was sent or a send has failed. */
    private boolean flush() {
        try {
            return output.flush();
        } catch (IOException broken) {
            return true;
        }
    }

    /** Returns true if there may be more bytes. Continues after a short receive, which urgent data or descriptors may have ended. */
    private boolean receive() throws Exception {
        for (int round = 0; round < ROUNDS_MAX; round++) {
            int count = channel.receive(messages.room());
            if (count < 0) {
                throw new EOFException("the peer has closed the connection");
            }
            if (count == 0) {
                return false;
            }
            messages.received(count);
            deliver();
        }
        return true;
    }

    private void deliver() throws Exception {
        for (ByteBuffer message = messages.next(parser); message != null; message = messages.next(parser)) {
            int start = message.position();
            int end = message.limit();
            K id = parser.requestId(message);
            if (table.isExpected(id)) {
                table.answer(id, parser.reply(message.limit(end).position(start).order(ByteOrder.BIG_ENDIAN)));
            }
        }
    }

    @Override
    public void beforeNestedWait(Handle handle) {
        throw new IllegalStateException("a parser of replies must not wait");
    }

    @Override
    public void handleClosed(Handle handle, Throwable cause) {
        Throwable why = cause != null ? cause : new IOException("the connection was closed");
        output.breakOff(why); // from now on no thread sends
        channel.close();
        table.breakOff(why);
    }
}

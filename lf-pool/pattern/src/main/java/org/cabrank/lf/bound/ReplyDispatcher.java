package org.cabrank.lf.bound;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.cabrank.lf.EventHandler;
import org.cabrank.lf.Handle;
import org.cabrank.lf.Ready;

/** Handler of a shared connection: finds the request of each reply, and hands the reply to the waiting thread. */
final class ReplyDispatcher<K, R> implements EventHandler {
    /** Named bound: reads for one event, before other handles have their turn. */
    private static final int ROUNDS_MAX = 4;

    private static final int ENDED = Ready.INPUT_CLOSED | Ready.HANGUP | Ready.ERROR;

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

    @Override
    public void handleEvent(Handle handle, int ready) throws Exception {
        try {
            boolean sent = output.flush();
            if (output.broken() != null) {
                handle.closeBecauseOf(output.broken()); // a sender has found it so
                return;
            }
            if (receive(ready)) {
                handle.post(Ready.READ);
            }
            channel.wantRoom(!sent);
        } catch (IOException broken) {
            handle.closeBecauseOf(broken);
        }
    }

    private boolean receive(int ready) throws Exception {
        for (int round = 0; round < ROUNDS_MAX; round++) {
            ByteBuffer room = messages.room();
            int wanted = room.remaining();
            int count = channel.receive(room);
            if (count < 0) {
                throw new EOFException("the peer has closed the connection");
            }
            messages.received(count);
            deliver();
            // A stream that gives less than it was asked for has no more (epoll(7)), but perhaps its end.
            if (count == 0 || count < wanted && (ready & ENDED) == 0) {
                return false;
            }
        }
        return true;
    }

    private void deliver() throws Exception {
        for (ByteBuffer message = messages.next(parser); message != null; message = messages.next(parser)) {
            int start = message.position();
            K id = parser.requestId(message);
            if (table.isExpected(id)) {
                table.answer(id, parser.reply(message.position(start)));
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
        output.breakOff(why); // from now on nobody sends
        channel.close();
        table.breakOff(why);
    }
}

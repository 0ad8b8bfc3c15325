package org.cabrank.framing;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.transport.BufferViews;

final class FrameDecoder implements ConnectionHandler {
    private final Framing framing;
    private final FrameHandler handler;
    private final FrameBounds bounds = new FrameBounds();

    /** View of the latest frame that the handler got. Null before the first frame, and after a nested wait. */
    private BufferViews.View lentView;

    private boolean malformed;

    FrameDecoder(Framing framing, FrameHandler handler) {
        this.framing = framing;
        this.handler = handler;
    }

    @Override
    public void opened(Connection connection) throws Exception {
        String misfit = framing.misfit(connection.limits());
        if (misfit != null) {
            throw new IllegalStateException(misfit);
        }
        handler.opened(connection);
    }

    @Override
    public void data(Connection connection, ByteBuffer data) throws Exception {
        if (malformed) {
            data.position(data.limit());
            return;
        }
        while (data.hasRemaining() && find(connection, data)) {
            int from = data.position() + bounds.start();
            int to = from + bounds.length();
            // Moves the position before the call, because callbacks during a nested wait must begin after this frame.
            data.position(data.position() + bounds.total());
            bounds.searched(0);
            callFrame(connection, data, from, to);
            if (!connection.isReceiving()) {
                return;
            }
        }
    }

    /** Finds the next frame. Returns false if it is incomplete. If the bytes are malformed, closes the connection and returns false. */
    private boolean find(Connection connection, ByteBuffer data) throws Exception {
        FrameException cause;
        try {
            if (framing.find(data, bounds)) {
                return true;
            }
            if (data.remaining() < framing.bytesMax()) {
                return false;
            }
            cause = FrameException.tooLong(data.remaining() + 1L, framing.bytesMax());
        } catch (FrameException noFrame) {
            cause = noFrame;
        }
        malformed = true;
        data.position(data.limit());
        handler.malformed(connection, cause);
        connection.close();
        return false;
    }

    private void callFrame(Connection connection, ByteBuffer data, int from, int to) throws Exception {
        BufferViews.View view = BufferViews.of(data);
        lentView = view;
        try {
            handler.frame(connection, view.lend(from, to));
        } finally {
            view.reclaim();
        }
    }

    /** Makes the frame's buffer empty, because other connections use its memory during the wait. */
    @Override
    public void beforeNestedWait(Connection connection) {
        handler.beforeNestedWait(connection);
        if (lentView != null) {
            lentView.empty();
        }
        lentView = null;
    }

    @Override
    public void writable(Connection connection) throws Exception {
        handler.writable(connection);
    }

    @Override
    public void deadlinePassed(Connection connection) throws Exception {
        handler.deadlinePassed(connection);
    }

    @Override
    public void draining(Connection connection) throws Exception {
        handler.draining(connection);
    }

    @Override
    public void inputClosed(Connection connection, ByteBuffer unread) throws Exception {
        handler.inputClosed(connection, malformed ? 0 : unread.remaining());
    }

    @Override
    public void closed(Connection connection, Throwable cause) {
        handler.closed(connection, cause);
    }
}

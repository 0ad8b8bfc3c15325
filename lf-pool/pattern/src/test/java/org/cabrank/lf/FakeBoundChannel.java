package org.cabrank.lf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import org.cabrank.lf.bound.BoundChannel;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;

/** A shared connection whose bytes are those that a test delivers, and that takes as many as the test allows. */
public final class FakeBoundChannel implements BoundChannel {
    private final FakeHandleSet set;
    private final VirtualTime time;
    private final Deque<byte[]> arrived = new ArrayDeque<>();
    private final StringBuilder sent = new StringBuilder();
    private FakeHandle handle;
    private boolean ended;
    private IOException broken;
    private int room = Integer.MAX_VALUE;
    private boolean roomWanted;
    private int closes;

    public FakeBoundChannel(FakeHandleSet set, VirtualTime time) {
        this.set = set;
        this.time = time;
    }

    /** These messages arrive, merged into one event. */
    void deliver(ByteBuffer... messages) {
        ByteArrayOutputStream merged = new ByteArrayOutputStream();
        for (ByteBuffer message : messages) {
            while (message.hasRemaining()) {
                merged.write(message.get());
            }
        }
        time.change(() -> {
            arrived.add(merged.toByteArray());
            set.report(handle);
        });
    }

    void endInput() {
        time.change(() -> {
            ended = true;
            set.report(handle);
        });
    }

    public void breakWith(IOException cause) {
        time.change(() -> broken = cause);
    }

    /** The socket takes so many bytes more. */
    public void room(int bytes) {
        time.change(() -> room = bytes);
    }

    boolean isRoomWanted() {
        return roomWanted;
    }

    int closes() {
        return closes;
    }

    /** The texts of what was sent, headers and all. */
    public String sent() {
        return sent.toString();
    }

    FakeHandle handle() {
        return handle;
    }

    @Override
    public Handle register(LeaderFollowersPool pool, EventHandler handler) {
        handle = set.register("shared connection", handler);
        return handle;
    }

    @Override
    public int receive(ByteBuffer into) throws IOException {
        time.lock.lock();
        try {
            if (broken != null) {
                throw broken;
            }
            byte[] next = arrived.poll();
            if (next == null) {
                return ended ? -1 : 0;
            }
            int count = Math.min(next.length, into.remaining());
            into.put(next, 0, count);
            if (count < next.length) {
                byte[] rest = new byte[next.length - count];
                System.arraycopy(next, count, rest, 0, rest.length);
                arrived.push(rest);
            }
            return count;
        } finally {
            time.lock.unlock();
        }
    }

    @Override
    public void send(ByteBuffer data) throws IOException {
        time.lock.lock();
        try {
            if (broken != null) {
                throw broken;
            }
            for (; data.hasRemaining() && room > 0; room--) {
                sent.append((char) (data.get() & 0xff));
            }
        } finally {
            time.lock.unlock();
        }
    }

    @Override
    public void wantRoom(boolean wanted) {
        roomWanted = wanted;
    }

    @Override
    public void close() {
        closes++;
    }
}

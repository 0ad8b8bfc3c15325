package org.cabrank.netty;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReference;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorHandle;
import org.cabrank.socket.calls.UrgentInput;

/** Passes the events of a channel's handle to the holder of the strand. A thread handles them with the claims of handle and strand. */
final class ChannelEvents implements UrgentInput, Runnable {
    private static final int END = Ready.INPUT_CLOSED | Ready.HANGUP;
    private static final int INPUT = Ready.READ | Ready.ERROR | END;
    private static final int OUTPUT = Ready.WRITE | Ready.ERROR | Ready.HANGUP;

    /** Ready bit of a post that makes the channel check for unprocessed events. */
    private static final int LOOK = Ready.POSTED_2;

    private static final VarHandle WAITING;

    static {
        try {
            WAITING = MethodHandles.lookup().findVarHandle(ChannelEvents.class, "waiting", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final AbstractCabrankChannel channel;

    /** Set before the handle is registered. */
    private volatile Strand strand;

    /** Null if the descriptor is not watched. Written by the registering thread, before the strand is notified. */
    private volatile DescriptorHandle handle;

    /** Ready bits of events that arrived while another thread held the strand. */
    @SuppressWarnings("unused") // by WAITING
    private volatile int waiting;

    /** True if the handle is closed. The descriptor is then no longer watched. */
    private volatile boolean unwatched;

    /** Completion that runs when the descriptor is closed. Null if no close waits for this. */
    private final AtomicReference<Runnable> afterClose = new AtomicReference<>();

    ChannelEvents(AbstractCabrankChannel channel) {
        this.channel = channel;
    }

    /** Returns null before the registration. */
    Strand strand() {
        return strand;
    }

    void belongTo(Strand own) {
        if (strand != null && strand != own) {
            throw new IllegalStateException("the channel was given to another event loop");
        }
        strand = own;
    }

    boolean isWatched() {
        return handle != null;
    }

    void watch(Strand by) throws IOException {
        strand = by;
        int interest = channel.isReadOnly() ? Ready.READ : Ready.READ | Ready.WRITE;
        DescriptorHandle watched = by.set().registerBorrowed(channel.socket.fd(), interest, this);
        handle = watched;
        by.watched(watched);
        if (unwatched) { // the handle was closed before the strand knew it
            by.unwatched(watched);
        }
    }

    @Override
    public void handleEvent(Handle ownHandle, int ready) {
        Strand entered = strand;
        if (entered.tryEnter()) {
            try {
                process(ready);
            } finally {
                entered.leave();
            }
        } else if ((ready & (INPUT | OUTPUT | LOOK)) != 0) {
            WAITING.getAndBitwiseOr(this, ready);
            entered.add(this);
        }
    }

    @Override
    public void urgentReported() {
        channel.receivesStopEarly = true;
    }

    /** Called by the holder of the strand. Handles events that arrived while another thread held the strand. */
    @Override
    public void run() {
        process((int) WAITING.getAndSet(this, 0));
    }

    private void process(int ready) {
        AbstractCabrankChannel own = channel;
        if (own.isClosing()) {
            return;
        }
        if ((ready & INPUT) != 0) {
            own.inputReady = true;
        }
        if ((ready & END) != 0) {
            own.endReported = true;
        }
        if (!own.isRegistered()) {
            return; // the first read checks for events
        }
        if (own.outputFull && (ready & OUTPUT) != 0) { // the kernel reports room to write with each input
            own.outputReady();
        }
        if (own.isToRead()) {
            own.readReady();
            if (own.isToRead()) {
                look(); // continues after other handles
            }
        }
    }

    void look() {
        handle.post(LOOK);
    }

    /** Makes the channel try its output as if there were room, after other handles had a turn. */
    void lookAtOutput() {
        handle.post(Ready.WRITE);
    }

    @Override
    public String description() {
        return channel.toString();
    }

    @Override
    public void beforeNestedWait(Handle ownHandle) {
        throw Strand.refusal();
    }

    void close() {
        DescriptorHandle watched = handle;
        if (watched == null || unwatched) {
            channel.closeDescriptor();
        } else {
            watched.close(); // handleClosed closes the descriptor
        }
    }

    boolean isClosedAtOnce() {
        DescriptorHandle watched = handle;
        return watched == null || unwatched || watched.isHeldByCaller();
    }

    /** Closes the channel. Runs the completion when the descriptor is closed. */
    void close(Runnable completion) {
        afterClose.set(completion);
        channel.doClose();
        if (unwatched && afterClose.getAndSet(null) != null) { // the set closed the handle before the request
            completion.run();
        }
    }

    @Override
    public void handleClosed(Handle ownHandle, Throwable cause) {
        unwatched = true;
        boolean asked = channel.isClosing();
        if (asked) {
            channel.closeDescriptor();
        }
        strand.unwatched(ownHandle);
        Runnable completion = afterClose.getAndSet(null);
        if (completion != null) {
            strand.add(completion);
        } else if (!asked) { // the set was closed, or the kernel does not watch any more
            strand.add(() -> channel.unsafe().close(channel.unsafe().voidPromise()));
        }
    }
}

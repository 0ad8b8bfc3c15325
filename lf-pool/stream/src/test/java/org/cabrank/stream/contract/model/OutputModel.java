package org.cabrank.stream.contract.model;

import java.io.ByteArrayOutputStream;
import java.util.function.IntSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The output of {@link ConnectionModel}: what was written, and a send buffer that is full. The model does not know how much the kernel
 * takes, but bounds: at least {@link #TAKEN_MIN} bytes, and at most {@link #TAKEN_MAX}, more than the peer has read. With the lock of the model.
 */
final class OutputModel {
    /** A queue that has fallen so far is followed by {@code writable}; bytes. */
    static final long LOW_WATERMARK = 16 << 10;

    /** A longer queue pauses reading, and is not writable; bytes. */
    static final long HIGH_WATERMARK = 64 << 10;

    /** Larger than the queue of any program; bytes. */
    static final int QUEUE_LIMIT = 16 << 20;

    /** Size of the send buffer, and of the peer's receive buffer; bytes. The kernel doubles both. */
    static final int SOCKET_BUFFER = 64 << 10;

    /** Size of the peer's reads; bytes. A peer that stops has one more in its hands. */
    static final int PEER_READ = 64 << 10;

    private static final int ROOM_LEFT = 512 << 10;

    /** A write that fits behind less than {@link #ROOM_LEFT} bytes; bytes. Through TLS it is longer by up to 3 %. */
    static final int ROOM = QUEUE_LIMIT - ROOM_LEFT;

    /** A write that passes the high watermark if the peer does not read; bytes. */
    static final int FLOOD = 512 << 10;

    /** Bound of what the kernel and a last read of the peer take. */
    private static final int TAKEN_MAX = 4 * SOCKET_BUFFER + 2 * PEER_READ;

    /** All other writes of a program fit. */
    private static final int TAKEN_MIN = 4 << 10;

    /** A moment at which a thread asks about the queue. */
    record Moment(int output, int received, int writables) {}

    private static final String FILLER =
            IntStream.range(0, FLOOD / 4).mapToObj(i -> i + ",").collect(Collectors.joining());

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();
    private final ByteArrayOutputStream behindEnd = new ByteArrayOutputStream();
    private final IntSupplier received;

    /** Written by any thread, whether or not the write has acted. */
    private long given;

    /** A write was refused, which is a reason for {@code writable}. */
    private boolean refused;

    private boolean writableDue;
    private int writables;

    /** @param received number of bytes that the peer has read; any thread */
    OutputModel(IntSupplier received) {
        this.received = received;
    }

    /** Returns {@link #FLOOD} characters that begin with the number. */
    static String flood(int number) {
        return (number + ":" + FILLER).substring(0, FLOOD);
    }

    /** A thread is about to write. */
    void give(int bytes) {
        given += bytes;
    }

    /** The write acts. A queue that passes the high watermark for certain, because the peer does not read, is followed by {@code writable}. */
    void write(byte[] bytes, boolean peerReads) {
        output.write(bytes, 0, bytes.length);
        writableDue |= !peerReads && pending() > TAKEN_MAX + HIGH_WATERMARK;
    }

    /** Bytes of a write that may have acted before the connection ended, or not. */
    void mayArrive(byte[] bytes) {
        behindEnd.write(bytes, 0, bytes.length);
    }

    int size() {
        return output.size();
    }

    byte[] bytes() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(output.toByteArray());
        all.writeBytes(behindEnd.toByteArray());
        return all.toByteArray();
    }

    /** Number of bytes that the peer has not read. */
    int pending() {
        return output.size() - received.getAsInt();
    }

    /** Returns true if the socket need not take all at once. */
    boolean mayBeQueued() {
        return pending() > TAKEN_MIN;
    }

    /** Returns true if other writes may stand behind one that the socket does not take at once. */
    boolean wasFull() {
        return given > TAKEN_MIN;
    }

    /** Returns true if the socket can have taken all bytes up to {@code position}. */
    boolean canHaveTaken(int position) {
        return position - received.getAsInt() <= TAKEN_MAX;
    }

    Moment moment() {
        return new Moment(output.size(), received.getAsInt(), writables);
    }

    /** Returns true if the answer of {@code isWritable} can be right; the question began at {@code asked}. */
    boolean answered(boolean writable, Moment asked) {
        if (writable) {
            return asked.output - received.getAsInt() <= TAKEN_MAX + HIGH_WATERMARK;
        }
        noteRefused(asked);
        return given - asked.received > HIGH_WATERMARK;
    }

    /** Returns true if a write of {@link #ROOM} bytes can have been accepted or refused. */
    boolean hadRoom(boolean room, Moment asked) {
        if (room) {
            return asked.output - received.getAsInt() <= TAKEN_MAX + ROOM_LEFT;
        }
        refused = true;
        noteRefused(asked);
        return given > asked.received;
    }

    private void noteRefused(Moment asked) {
        writableDue |= writables == asked.writables; // else the call may have come for this question
    }

    boolean isWritableDue() {
        return writableDue;
    }

    /** Returns true if {@code writable} has a reason to be called. */
    boolean becameWritable() {
        writables++;
        writableDue = false;
        return refused || given > HIGH_WATERMARK;
    }
}

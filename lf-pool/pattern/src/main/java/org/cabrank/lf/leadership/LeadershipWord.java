package org.cabrank.lf.leadership;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The leader of a handle set and its phase, in one 64-bit word.
 * <pre>
 *  63                                 16 15                2 1   0
 * +-------------------------------------+-------------------+-----+
 * | sequence: events begun, modulo 2^48 | owner: 0 = vacant |phase|
 * +-------------------------------------+-------------------+-----+
 * </pre>
 * <p>Invariants:
 * <ol>
 *   <li>At most one thread leads. In the phases LEADING and DETECTING only the owner changes the word, so it needs no compare-and-set.
 *   <li>In the phase PROCESSING the owner may end the phase or promote a successor, and the watcher may depose the owner. Each of them
 *       makes a compare-and-set from the word that began the phase, so only one of them succeeds.
 *   <li>The sequence grows with every event that begins, so two equal PROCESSING words mean the same event.
 *   <li>A vacant word is taken by compare-and-set.
 *   <li>The next owner sees all writes that the owner made before PROCESSING began or before it gave the word away. So the ready list needs
 *       no lock.
 * </ol>
 */
public final class LeadershipWord {
    public static final int LEADING = 0;
    public static final int DETECTING = 1;
    public static final int PROCESSING = 2;
    static final int OWNER_MAX = (1 << 14) - 1;

    private static final int PHASE_MASK = 3;
    private static final int OWNER_SHIFT = 2;
    private static final int SEQUENCE_SHIFT = 16;
    private static final long OWNER_MASK = (long) OWNER_MAX << OWNER_SHIFT;

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(LeadershipWord.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused")
    private long word;

    public static int phase(long word) {
        return (int) word & PHASE_MASK;
    }

    public static int owner(long word) {
        return (int) ((word & OWNER_MASK) >>> OWNER_SHIFT);
    }

    static long sequence(long word) {
        return word >>> SEQUENCE_SHIFT;
    }

    private static long compose(long sequence, int owner, int phase) {
        return sequence << SEQUENCE_SHIFT | (long) owner << OWNER_SHIFT | phase;
    }

    public long wordAcquire() {
        return (long) WORD.getAcquire(this);
    }

    public long wordVolatile() {
        return (long) WORD.getVolatile(this);
    }

    public boolean tryLead(int id) {
        long seen = wordAcquire();
        return owner(seen) == 0 && WORD.compareAndSet(this, seen, compose(sequence(seen), id, LEADING));
    }

    public void beginDetectingRelease() {
        WORD.setRelease(this, plain() | DETECTING);
    }

    /** Called by the owner. A full fence, so the owner sees that the watcher rests, or the watcher sees that DETECTING has ended. */
    public void endDetectingVolatile() {
        WORD.setVolatile(this, plain() & ~PHASE_MASK);
    }

    /** Begins an event. The owner may be deposed from now on. Returns the word for {@link #endProcessing}. Called in LEADING. */
    public long beginProcessingRelease() {
        long seen = plain();
        long begun = compose(sequence(seen) + 1, owner(seen), PROCESSING);
        WORD.setRelease(this, begun);
        return begun;
    }

    public boolean endProcessing(long begun) {
        return WORD.compareAndSet(this, begun, begun & ~PHASE_MASK);
    }

    /** Gives leadership to {@code successor}, or to nobody if it is 0. Returns false if the owner was deposed before. */
    public boolean promote(long begun, int successor) {
        return WORD.compareAndSet(this, begun, compose(sequence(begun), successor, LEADING));
    }

    public boolean depose(long seen, int id) {
        return phase(seen) == PROCESSING && WORD.compareAndSet(this, seen, compose(sequence(seen), id, LEADING));
    }

    /** Gives leadership to {@code successor}, or to nobody if it is 0. Adds {@code events} to the sequence. Called in LEADING. */
    public void handOverVolatile(int successor, int events) {
        WORD.setVolatile(this, compose(sequence(plain()) + events, successor, LEADING));
    }

    private long plain() {
        return (long) WORD.get(this);
    }

    @Override
    public String toString() {
        long now = wordAcquire();
        String[] phases = {"leading", "detecting", "processing"};
        return owner(now) == 0
                ? "vacant #" + sequence(now)
                : "thread " + owner(now) + " " + phases[phase(now)] + " #" + sequence(now);
    }
}

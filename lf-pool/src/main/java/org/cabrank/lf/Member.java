package org.cabrank.lf;

/** A thread while it takes part in a pool. */
final class Member {
    /** From 1; 0 stands for nobody in the leadership word. */
    final int id;

    final Thread thread;
    final long threadId;

    final Counter processed = new Counter();
    final Counter promotions = new Counter();
    final Counter depositions = new Counter();

    /** Set by the promoter, after the leadership word names this member. */
    volatile boolean promoted;

    volatile boolean following;

    /** It sleeps, or is about to; a hint for who chooses among followers. */
    volatile boolean asleep;

    /** The index of the set that it leads, or led last. Set by the promoter before the flag. */
    int leads;

    /** The word that began the event in progress, 0 when leadership was given away or nothing is in progress. */
    long begun;

    boolean processing;

    /** The concurrent handles whose handlers it runs. */
    final Inside inside = new Inside();

    /** An interrupt that came while the member waited; restored when it leaves. */
    boolean interrupted;

    /** As standby. */
    final Looks looks;

    /** The place in a {@link LinkedLine}, and in a {@link PriorityLine}. */
    Member older;

    Member newer;
    long arrival;

    Member(int id, Thread thread, int sets) {
        this.id = id;
        this.thread = thread;
        this.threadId = thread == null ? 0 : thread.getId();
        this.looks = new Looks(sets);
    }

    @Override
    public String toString() {
        return thread.getName() + " (" + id + ")";
    }
}

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

    /** The word that began the event in progress, 0 when leadership was given away or nothing is in progress. */
    long begun;

    boolean processing;

    /** An interrupt that came while the member waited; restored when it leaves. */
    boolean interrupted;

    /** As standby: the word at the last look, when that was, and how many looks have found an idle leader. */
    long seenWord;

    long lookedNs;
    int idleLooks;

    Member(int id, Thread thread) {
        this.id = id;
        this.thread = thread;
        this.threadId = thread == null ? 0 : thread.getId();
    }

    void forgetLooks(long nowNs) {
        seenWord = -1;
        lookedNs = nowNs;
        idleLooks = 0;
    }

    @Override
    public String toString() {
        return thread.getName() + " (" + id + ")";
    }
}

package org.cabrank.stream;

/**
 * The reactor has ended because one of its shards could not continue ({@link StreamReactor}). The exception is unchecked, because only a
 * new process or a new reactor repairs the failure. A {@code main} that waits for the termination ends with exit status 1.
 */
public final class ReactorFailedException extends RuntimeException {
    /** Value of {@link #shard} if one pool serves all shards, so that the failed shard is unknown. */
    public static final int ALL_SHARDS = -1;

    private static final long serialVersionUID = 1L;

    private final int shard;

    ReactorFailedException(String reactor, int shard, Throwable cause) {
        super(text(reactor, shard, cause), cause);
        this.shard = shard;
    }

    private static String text(String reactor, int shard, Throwable cause) {
        String where = shard == ALL_SHARDS ? "the pool of all shards" : "shard " + shard;
        String why = cause.getMessage() == null ? cause.getClass().getName() : cause.getMessage();
        return "reactor " + reactor + " has failed: " + where + " cannot continue: " + why;
    }

    /** The shard that failed, from 0, or {@link #ALL_SHARDS}. */
    public int shard() {
        return shard;
    }
}

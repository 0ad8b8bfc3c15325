package org.cabrank.stream;

/**
 * A reactor that ended by itself, because one of its shards could not continue; the cause is the reason ({@link StreamReactor}).
 *
 * <p>Unchecked, because nothing but a new process, or a new reactor, repairs it: a {@code main} that only waits for the termination then
 * ends with a stack trace and exit status 1, and a supervisor restarts the service.
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

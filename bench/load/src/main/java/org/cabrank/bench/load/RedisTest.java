package org.cabrank.bench.load;

/** Commands that redis-benchmark sends to a server. */
public enum RedisTest {
    /** {@code PING} as an array. */
    PING("ping_mbulk", "PING"),

    /** {@code SET} of one key, with a value of 3 bytes. */
    SET("set", "SET"),

    /** {@code GET} of the key that {@link #SET} has set. */
    GET("get", "GET"),

    /** {@link #GET} while one more client sends {@code DEBUG SLEEP 0.1} again and again. */
    GET_BESIDE_SLEEP("get", "GET beside DEBUG SLEEP 0.1");

    private static final long SLEEP_NS = 100_000_000;

    private final String argument;
    private final String label;

    RedisTest(String argument, String label) {
        this.argument = argument;
        this.label = label;
    }

    /** Value of redis-benchmark's {@code -t}. */
    public String argument() {
        return argument;
    }

    /** Name in reports. */
    public String label() {
        return label;
    }

    /** Time in ns for which one more client has a handler sleep, again and again; 0 without such a client. */
    public long sleepBesideNs() {
        return this == GET_BESIDE_SLEEP ? SLEEP_NS : 0;
    }

    /** Returns the test that runs the same code of a server that handles commands one by one, for its warm-up. */
    public RedisTest forWarmUp() {
        return this == GET_BESIDE_SLEEP ? GET : this;
    }
}

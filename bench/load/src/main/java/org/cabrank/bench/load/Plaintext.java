package org.cabrank.bench.load;

/** Content of HTTP answers. Answers to slow requests differ in one letter, by which the load generator separates their latencies. */
public final class Plaintext {
    public static final String BODY = "Hello, World!";

    /** Has the length of {@link #BODY}, because all answers of a server must have one length. */
    public static final String SLOW_BODY = "Hello, world!";

    private Plaintext() {}
}

package org.cabrank.bench.load;

/** Content of HTTP answers. Those to slow requests differ in one letter, by which the load generator separates latencies. */
public final class Plaintext {
    public static final String BODY = "Hello, World!";

    /** As long as {@link #BODY}, because all answers of a server have one length. */
    public static final String SLOW_BODY = "Hello, world!";

    private Plaintext() {}
}

package org.cabrank.bench.load;

/**
 * Content that every server of the bench answers with over HTTP. The answer to a slow request differs in one letter, so that the load
 * generator can tell the latencies of fast requests, whose handlers did not block, from those of all.
 */
public final class Plaintext {
    public static final String BODY = "Hello, World!";

    /** As long as {@link #BODY}, because all answers of a server have one length. */
    public static final String SLOW_BODY = "Hello, world!";

    private Plaintext() {}
}

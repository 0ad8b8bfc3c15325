package org.cabrank.bench.load;

/** Content of HTTP answers. The answer to a slow request differs in one letter, so that the generator can separate the latencies. */
public final class Plaintext {
    public static final String BODY = "Hello, World!";

    /** Has the length of {@link #BODY}, because all answers of a server must have one length. */
    public static final String SLOW_BODY = "Hello, world!";

    private Plaintext() {}
}

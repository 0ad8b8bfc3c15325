package org.cabrank.bench.contender;

/** Protocol that a contender serves. */
public enum Protocol {
    /** Sends it back. */
    ECHO,

    /** Answers GET with {@code Hello, World!} as plain text (HTTP/1.1); all contenders send the same fields. */
    HTTP
}

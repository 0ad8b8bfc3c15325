package org.cabrank.bench.contender;

/** Protocol that a contender serves. */
public enum Protocol {
    ECHO("echo"),

    /** Answers GET with {@code Hello, World!} as plain text (HTTP/1.1). All contenders send the same header fields. */
    HTTP("http"),

    /** Like {@link #ECHO}, but over TLS. See {@link LabTls}. */
    ECHO_TLS("echo over TLS"),

    HTTPS("https"),

    /** Sends each UDP datagram of up to {@link ContenderSockets#DATAGRAM_BYTES} back to its sender. */
    DATAGRAMS("datagrams"),

    /** Like {@link #DATAGRAMS}, but the kernel joins received datagrams (UDP_GRO) and cuts sent messages (UDP_SEGMENT). */
    DATAGRAM_SEGMENTS("datagrams in segments");

    private final String word;

    Protocol(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    public boolean isHttp() {
        return this == HTTP || this == HTTPS;
    }

    public boolean overTls() {
        return this == ECHO_TLS || this == HTTPS;
    }

    public boolean connects() {
        return this != DATAGRAMS && this != DATAGRAM_SEGMENTS;
    }
}

package org.cabrank.bench.resp;

/** A command is answered with an error. Without a stack trace, because clients cause it. */
final class RefusedCommandException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    static final String SYNTAX = "ERR syntax error";
    static final String NOT_AN_INTEGER = "ERR value is not an integer or out of range";
    static final String OVERFLOW = "ERR increment or decrement would overflow";
    static final String OUT_OF_MEMORY = "OOM command not allowed when used memory > 'maxmemory'.";

    /** @param reply the error in the wording of Redis */
    RefusedCommandException(String reply) {
        super(reply, null, false, false);
    }
}

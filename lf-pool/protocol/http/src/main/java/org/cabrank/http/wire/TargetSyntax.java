package org.cabrank.http.wire;

import java.nio.charset.StandardCharsets;

/**
 * Checks the target of a request byte by byte (RFC 9112 section 3.2): a path, an absolute http or https URI, {@code *} for
 * OPTIONS, and {@code host:port} for CONNECT. Paths and queries may hold all visible bytes but {@code #}, because browsers
 * send many without encoding them. Allocates nothing. One thread at a time.
 */
final class TargetSyntax {
    private static final byte[] SCHEME = "https://".getBytes(StandardCharsets.US_ASCII);
    private static final int SCHEME_S = 4;

    private enum State {
        START,
        SCHEME,
        AUTHORITY,
        PATH,
        ASTERISK
    }

    private final AuthoritySyntax authority = new AuthoritySyntax();
    private State state = State.START;
    private boolean connect;
    private boolean options;
    private int schemeBytes;

    /**
     * The target of a request begins.
     *
     * @param isConnect true for the method CONNECT
     * @param isOptions true for the method OPTIONS
     */
    void begin(boolean isConnect, boolean isOptions) {
        state = State.START;
        connect = isConnect;
        options = isOptions;
        if (connect) {
            authority.clear();
            state = State.AUTHORITY;
        }
    }

    /** Takes the next byte; returns false if it cannot stand there. */
    boolean add(int c) {
        switch (state) {
            case PATH:
                return HttpChars.target(c);
            case START:
                return start(c);
            case SCHEME:
                return scheme(c);
            case AUTHORITY:
                return authority(c);
            default:
                return false; // nothing follows an asterisk
        }
    }

    private boolean start(int c) {
        if (c == '/') {
            state = State.PATH;
            return true;
        }
        if (c == '*') {
            state = State.ASTERISK;
            return true;
        }
        state = State.SCHEME;
        schemeBytes = 0;
        return scheme(c);
    }

    private boolean scheme(int c) {
        if (schemeBytes == SCHEME_S && c == ':') {
            schemeBytes++; // http
        }
        if (HttpChars.lower(c) != SCHEME[schemeBytes++]) {
            return false;
        }
        if (schemeBytes == SCHEME.length) {
            authority.clear();
            state = State.AUTHORITY;
        }
        return true;
    }

    private boolean authority(int c) {
        if (!connect && (c == '/' || c == '?')) {
            state = State.PATH;
            return authority.end() && authority.hostGiven();
        }
        return authority.add(c);
    }

    /** The last byte has been added; returns false if the target is not complete, or not one for the method. */
    boolean end() {
        switch (state) {
            case PATH:
                return true;
            case ASTERISK:
                return options;
            case AUTHORITY:
                return authority.end() && authority.hostGiven() && (!connect || authority.portGiven());
            default:
                return false;
        }
    }
}

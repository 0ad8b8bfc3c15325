package org.cabrank.http.wire;

/**
 * Checks a host with an optional port, byte by byte: {@code uri-host [ ":" port ]} of RFC 9110 section 7.2, the host a registered
 * name, an IPv4 address, or an IPv6 address in brackets (RFC 3986 section 3.2.2). User information is refused, and so is the
 * form of future addresses, of which no version is defined. Allocates nothing. One thread at a time.
 */
final class AuthoritySyntax {
    private static final int PORT_MAX = 65_535;

    private enum State {
        START,
        NAME,
        /** Behind the percent sign of an encoded byte, and behind its first digit. */
        PERCENT,
        PERCENT_DIGIT,
        ADDRESS,
        ADDRESS_END,
        PORT
    }

    private final Ipv6Address address = new Ipv6Address();
    private State state = State.START;
    private boolean hostGiven;
    private boolean portGiven;
    private int port;

    void clear() {
        state = State.START;
        hostGiven = false;
        portGiven = false;
        port = 0;
    }

    /** Takes the next byte; returns false if it cannot stand there. */
    boolean add(int c) {
        switch (state) {
            case START:
                if (c == '[') {
                    address.clear();
                    state = State.ADDRESS;
                    return true;
                }
                state = State.NAME;
                return name(c);
            case NAME:
                return name(c);
            case PERCENT:
                state = State.PERCENT_DIGIT;
                return HttpChars.hexDigit(c) >= 0;
            case PERCENT_DIGIT:
                state = State.NAME;
                return HttpChars.hexDigit(c) >= 0;
            case ADDRESS:
                return address(c);
            case ADDRESS_END:
                state = State.PORT;
                return c == ':';
            case PORT:
                return portDigit(c);
            default:
                throw new IllegalStateException(state.toString());
        }
    }

    private boolean name(int c) {
        if (c == ':') {
            state = State.PORT;
            return hostGiven;
        }
        hostGiven = true;
        if (c == '%') {
            state = State.PERCENT;
            return true;
        }
        return HttpChars.registeredName(c);
    }

    private boolean address(int c) {
        if (c != ']') {
            return address.add(c);
        }
        state = State.ADDRESS_END;
        hostGiven = true;
        return address.end();
    }

    private boolean portDigit(int c) {
        if (c < '0' || c > '9') {
            return false;
        }
        portGiven = true;
        port = port * 10 + (c - '0');
        return port <= PORT_MAX;
    }

    /** The last byte has been added; returns false if the authority is not complete. An empty one is. */
    boolean end() {
        return state != State.PERCENT && state != State.PERCENT_DIGIT && state != State.ADDRESS;
    }

    boolean hostGiven() {
        return hostGiven;
    }

    boolean portGiven() {
        return portGiven;
    }
}

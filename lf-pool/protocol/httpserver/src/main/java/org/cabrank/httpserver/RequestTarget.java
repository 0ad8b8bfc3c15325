package org.cabrank.httpserver;

import java.net.URI;
import java.net.URISyntaxException;

/** The target of a request. For a plain path, the URI is created only when a program asks for it, because a URI is costly. */
final class RequestTarget {
    private static final boolean[] PLAIN = new boolean[128];
    private static final String SCHEME_END = "://";

    /** A path with this prefix would be parsed as an authority, unless an empty authority precedes it (RFC 9112 section 3.2.1). */
    private static final String NO_AUTHORITY = "//";

    static {
        for (int c = 0; c < PLAIN.length; c++) {
            PLAIN[c] = Character.isLetterOrDigit(c) || "/-._~=&".indexOf(c) >= 0;
        }
    }

    private final String text;

    /** The decoded path; null for a target without a path, such as the target of CONNECT. */
    private final String path;

    private URI uri;

    RequestTarget(String text) throws URISyntaxException {
        int end = plainPathEnd(text);
        if (end > 0) {
            this.text = text;
            path = text.substring(0, end);
        } else {
            this.text = withPath(text);
            uri = new URI(text.startsWith(NO_AUTHORITY) ? NO_AUTHORITY + text : this.text);
            path = uri.getPath();
        }
    }

    /** Adds the root path to an absolute target without a path (RFC 9110 section 4.2.3). */
    private static String withPath(String text) {
        int scheme = text.indexOf(SCHEME_END);
        if (text.startsWith("/") || scheme < 0) {
            return text;
        }
        int end = scheme + SCHEME_END.length();
        while (end < text.length() && "/?".indexOf(text.charAt(end)) < 0) {
            end++;
        }
        return text.startsWith("/", end) ? text : text.substring(0, end) + "/" + text.substring(end);
    }

    /** If the target has only plain characters, returns the length of its path. Otherwise returns 0. */
    private static int plainPathEnd(String text) {
        if (text.isEmpty() || text.charAt(0) != '/' || text.startsWith(NO_AUTHORITY)) {
            return 0;
        }
        int end = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '?') {
                end = Math.min(end, i);
            } else if (c >= PLAIN.length || !PLAIN[c]) {
                return 0;
            }
        }
        return end;
    }

    String path() {
        return path;
    }

    URI uri() {
        if (uri == null) {
            uri = URI.create(text);
        }
        return uri;
    }

    @Override
    public String toString() {
        return text;
    }
}

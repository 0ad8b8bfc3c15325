package org.cabrank.bench.http;

import java.nio.charset.StandardCharsets;

/** Method of a request. */
enum HttpMethod {
    GET,
    HEAD,
    OPTIONS,
    CONNECT,
    /** Another method that RFC 9110 or RFC 5789 defines and this server does not serve. */
    KNOWN,
    /** Any other token. */
    UNKNOWN;

    /** Longer tokens are not packed and not known. */
    static final int PACKED_BYTES_MAX = Long.BYTES;

    private static final long PACKED_GET = pack("GET");
    private static final long PACKED_HEAD = pack("HEAD");
    private static final long PACKED_OPTIONS = pack("OPTIONS");
    private static final long PACKED_CONNECT = pack("CONNECT");
    private static final long[] PACKED_KNOWN = {pack("POST"), pack("PUT"), pack("DELETE"), pack("TRACE"), pack("PATCH")
    };

    /** The method whose characters, eight bits each, the first one highest, make up {@code packed}. */
    static HttpMethod of(long packed) {
        if (packed == PACKED_GET) {
            return GET;
        }
        if (packed == PACKED_HEAD) {
            return HEAD;
        }
        if (packed == PACKED_OPTIONS) {
            return OPTIONS;
        }
        if (packed == PACKED_CONNECT) {
            return CONNECT;
        }
        for (long known : PACKED_KNOWN) {
            if (packed == known) {
                return KNOWN;
            }
        }
        return UNKNOWN;
    }

    private static long pack(String name) {
        long packed = 0;
        for (byte letter : name.getBytes(StandardCharsets.US_ASCII)) {
            packed = packed << 8 | letter;
        }
        return packed;
    }
}

package org.cabrank.bench.http;

/** The statuses that this server answers (RFC 9110 section 15, RFC 6585). */
final class HttpStatus {
    static final int OK = 200;
    static final int BAD_REQUEST = 400;
    /** Of pages only. */
    static final int NOT_FOUND = 404;

    static final int METHOD_NOT_ALLOWED = 405;
    static final int REQUEST_TIMEOUT = 408;
    static final int CONTENT_TOO_LARGE = 413;
    static final int TARGET_TOO_LONG = 414;
    static final int EXPECTATION_FAILED = 417;
    static final int HEAD_TOO_LONG = 431;
    static final int NOT_IMPLEMENTED = 501;

    /** Of pages only. */
    static final int SERVICE_UNAVAILABLE = 503;

    static final int VERSION_NOT_SUPPORTED = 505;

    /** Those of answers to requests of {@link HttpHandler}. */
    private static final int[] ALL = {
        OK,
        BAD_REQUEST,
        METHOD_NOT_ALLOWED,
        REQUEST_TIMEOUT,
        CONTENT_TOO_LARGE,
        TARGET_TOO_LONG,
        EXPECTATION_FAILED,
        HEAD_TOO_LONG,
        NOT_IMPLEMENTED,
        VERSION_NOT_SUPPORTED
    };

    private HttpStatus() {}

    static int count() {
        return ALL.length;
    }

    static int at(int index) {
        return ALL[index];
    }

    static int indexOf(int status) {
        for (int i = 0; i < ALL.length; i++) {
            if (ALL[i] == status) {
                return i;
            }
        }
        throw new IllegalArgumentException("no such answer: " + status);
    }

    static String reason(int status) {
        return switch (status) {
            case OK -> "OK";
            case BAD_REQUEST -> "Bad Request";
            case NOT_FOUND -> "Not Found";
            case METHOD_NOT_ALLOWED -> "Method Not Allowed";
            case REQUEST_TIMEOUT -> "Request Timeout";
            case CONTENT_TOO_LARGE -> "Content Too Large";
            case TARGET_TOO_LONG -> "URI Too Long";
            case EXPECTATION_FAILED -> "Expectation Failed";
            case HEAD_TOO_LONG -> "Request Header Fields Too Large";
            case NOT_IMPLEMENTED -> "Not Implemented";
            case SERVICE_UNAVAILABLE -> "Service Unavailable";
            case VERSION_NOT_SUPPORTED -> "HTTP Version Not Supported";
            default -> throw new IllegalArgumentException("no reason for status " + status);
        };
    }
}

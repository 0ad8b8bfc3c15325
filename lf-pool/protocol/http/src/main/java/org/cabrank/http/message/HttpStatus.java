package org.cabrank.http.message;

/** Statuses of answers (RFC 9110 section 15, RFC 6585), and their reasons. */
public final class HttpStatus {
    public static final int CONTINUE = 100;
    public static final int SWITCHING_PROTOCOLS = 101;
    public static final int OK = 200;
    public static final int NO_CONTENT = 204;
    public static final int RESET_CONTENT = 205;
    public static final int NOT_MODIFIED = 304;
    public static final int BAD_REQUEST = 400;
    public static final int NOT_FOUND = 404;
    public static final int METHOD_NOT_ALLOWED = 405;
    public static final int REQUEST_TIMEOUT = 408;
    public static final int CONTENT_TOO_LARGE = 413;
    public static final int TARGET_TOO_LONG = 414;
    public static final int UNSUPPORTED_CODING = 415;
    public static final int EXPECTATION_FAILED = 417;
    public static final int HEAD_TOO_LONG = 431;
    public static final int INTERNAL_SERVER_ERROR = 500;
    public static final int NOT_IMPLEMENTED = 501;
    public static final int SERVICE_UNAVAILABLE = 503;
    public static final int VERSION_NOT_SUPPORTED = 505;
    public static final int MIN = 100;
    public static final int MAX = 599;

    private static final int FIRST_FINAL = 200;
    private static final int FIRST_REDIRECTION = 300;

    private HttpStatus() {}

    /** Returns true if a further answer must follow an answer with this status. */
    public static boolean isInterim(int status) {
        return status < FIRST_FINAL;
    }

    public static boolean isSuccessful(int status) {
        return status >= FIRST_FINAL && status < FIRST_REDIRECTION;
    }

    /** Returns true if an answer with this status has no body, whatever its fields state (RFC 9112 section 6.3). */
    public static boolean hasNoBody(int status) {
        return isInterim(status) || status == NO_CONTENT || status == NOT_MODIFIED;
    }

    /** Returns true if a server sends no content with this status. A client still reads a body with status 205 if one is announced. */
    public static boolean forbidsContent(int status) {
        return hasNoBody(status) || status == RESET_CONTENT;
    }

    /** Returns the reason of a status; empty if neither RFC 9110 nor RFC 6585 defines the status. */
    public static String reason(int status) {
        return switch (status) {
            case CONTINUE -> "Continue";
            case SWITCHING_PROTOCOLS -> "Switching Protocols";
            case 103 -> "Early Hints";
            case OK -> "OK";
            case 201 -> "Created";
            case 202 -> "Accepted";
            case 203 -> "Non-Authoritative Information";
            case NO_CONTENT -> "No Content";
            case RESET_CONTENT -> "Reset Content";
            case 206 -> "Partial Content";
            case 300 -> "Multiple Choices";
            case 301 -> "Moved Permanently";
            case 302 -> "Found";
            case 303 -> "See Other";
            case NOT_MODIFIED -> "Not Modified";
            case 307 -> "Temporary Redirect";
            case 308 -> "Permanent Redirect";
            case BAD_REQUEST -> "Bad Request";
            case 401 -> "Unauthorized";
            case 402 -> "Payment Required";
            case 403 -> "Forbidden";
            case NOT_FOUND -> "Not Found";
            case METHOD_NOT_ALLOWED -> "Method Not Allowed";
            case 406 -> "Not Acceptable";
            case 407 -> "Proxy Authentication Required";
            case REQUEST_TIMEOUT -> "Request Timeout";
            case 409 -> "Conflict";
            case 410 -> "Gone";
            case 411 -> "Length Required";
            case 412 -> "Precondition Failed";
            case CONTENT_TOO_LARGE -> "Content Too Large";
            case TARGET_TOO_LONG -> "URI Too Long";
            case UNSUPPORTED_CODING -> "Unsupported Media Type";
            case 416 -> "Range Not Satisfiable";
            case EXPECTATION_FAILED -> "Expectation Failed";
            case 421 -> "Misdirected Request";
            case 422 -> "Unprocessable Content";
            case 426 -> "Upgrade Required";
            case 428 -> "Precondition Required";
            case 429 -> "Too Many Requests";
            case HEAD_TOO_LONG -> "Request Header Fields Too Large";
            case INTERNAL_SERVER_ERROR -> "Internal Server Error";
            case NOT_IMPLEMENTED -> "Not Implemented";
            case 502 -> "Bad Gateway";
            case SERVICE_UNAVAILABLE -> "Service Unavailable";
            case 504 -> "Gateway Timeout";
            case VERSION_NOT_SUPPORTED -> "HTTP Version Not Supported";
            default -> "";
        };
    }
}

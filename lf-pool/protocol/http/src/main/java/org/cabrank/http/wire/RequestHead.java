package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.http.message.HttpStatus;

/** Finds the head of a request (RFC 9112 sections 2 and 3). The result for an error is the status of the answer. */
public final class RequestHead extends MessageHead {
    private static final String SCHEME_END = "://";

    /** Path of an absolute target without a path. */
    private static final ByteBuffer SLASH = ByteBuffer.wrap(new byte[] {'/'}).asReadOnlyBuffer();

    private static final int VERSION_BYTES = 8;
    private static final String VERSION = "HTTP/";
    private static final int MAJOR_AT = 5;
    private static final int DOT_AT = 6;
    private static final int MINOR_AT = 7;

    private enum State {
        START,
        EMPTY_LINE_END,
        METHOD,
        TARGET,
        VERSION,
        LINE_END
    }

    private final RequestFraming framing = new RequestFraming();
    private State state = State.START;
    private int methodStart;
    private int methodLength;
    private boolean isHead;
    private boolean isConnect;
    private int targetStart;
    private int targetLength;
    private int versionStart;
    private int minor;
    private boolean targetWrong;

    public RequestHead(HttpLimits limits) {
        super(limits, false);
    }

    @Override
    public void begin() {
        super.begin();
        framing.clear();
        state = State.START;
        methodLength = 0;
        isHead = false;
        isConnect = false;
        minor = 1;
    }

    /** Moves {@code view} to the method and returns it. The view is valid as long as the bytes of the message. */
    public TextView method(TextView view) {
        return view.show(fields.bytes(), fields.origin() + methodStart, methodLength);
    }

    public TextView target(TextView view) {
        return view.show(fields.bytes(), fields.origin() + targetStart, targetLength);
    }

    /** Moves {@code view} to the path without the query. The target {@code *} is its own path. The path of CONNECT is empty. */
    public TextView path(TextView view) {
        target(view);
        int from = 0;
        if (view.length() > 0 && view.charAt(0) != '/' && view.charAt(0) != '*') {
            int authority = view.indexOf(':', 0);
            if (!view.startsWith(SCHEME_END, authority)) {
                return view.show(SLASH, 0, 0);
            }
            from = firstOf(view, authority + SCHEME_END.length(), "/?");
            if (from == view.length() || view.charAt(from) == '?') {
                return view.show(SLASH, 0, 1);
            }
        }
        int to = firstOf(view, from, "?");
        return view.show(fields.bytes(), fields.origin() + targetStart + from, to - from);
    }

    /** Returns the host and port of an absolute target, or of the target of CONNECT. Returns null for any other target. */
    public String authorityOfTarget() {
        TextView view = target(new TextView());
        if (view.charAt(0) == '/' || view.charAt(0) == '*') {
            return null;
        }
        int scheme = view.indexOf(':', 0);
        if (!view.startsWith(SCHEME_END, scheme)) {
            return view.toString();
        }
        int from = scheme + SCHEME_END.length();
        return view.subSequence(from, firstOf(view, from, "/?"));
    }

    private static int firstOf(TextView view, int from, String wanted) {
        int at = from;
        while (at < view.length() && wanted.indexOf(view.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    /** Copies the head to {@code copy}, which is then read instead. {@code shown} are the views of the head that were passed on. */
    public void moveTo(ByteBuffer copy, TextView[] shown) {
        fields.moveTo(copy, bytes(), shown);
    }

    /** Returns true if the method that was read is HEAD, even if the head has an error. */
    public boolean isHead() {
        return isHead;
    }

    public boolean isConnect() {
        return isConnect;
    }

    public boolean isVersion10() {
        return minor == 0;
    }

    public RequestFraming framing() {
        return framing;
    }

    @Override
    int check() {
        return framing.check(fields, isVersion10(), limits.bodyBytes());
    }

    @Override
    int refused(int status) {
        return status;
    }

    @Override
    int tooLong(boolean inFields) {
        if (inFields) {
            return HttpStatus.HEAD_TOO_LONG;
        }
        return switch (state) {
            case METHOD -> HttpStatus.NOT_IMPLEMENTED; // no method is so long (RFC 9112 section 3)
            case TARGET, VERSION, LINE_END -> HttpStatus.TARGET_TOO_LONG;
            default -> HttpStatus.BAD_REQUEST;
        };
    }

    @Override
    int next(ByteBuffer data, int origin, int c) {
        switch (state) {
            case START:
                methodStart = searched;
                if (c == '\r') {
                    return enter(State.EMPTY_LINE_END); // empty lines before a request are ignored (RFC 9112, 2.2)
                }
                state = State.METHOD;
                return HttpChars.token(c) ? INCOMPLETE : HttpStatus.BAD_REQUEST;
            case EMPTY_LINE_END:
                return c == '\n' ? enter(State.START) : HttpStatus.BAD_REQUEST;
            case METHOD:
                if (c == ' ') {
                    return methodEnded(data, origin);
                }
                return HttpChars.token(c) ? INCOMPLETE : HttpStatus.BAD_REQUEST;
            case TARGET:
                return target(data, origin, c);
            case VERSION:
                return version(data, origin, c);
            case LINE_END:
                beginFields();
                return c == '\n' ? INCOMPLETE : HttpStatus.BAD_REQUEST;
            default:
                throw new IllegalStateException(state.toString());
        }
    }

    private int enter(State next) {
        state = next;
        return INCOMPLETE;
    }

    private int methodEnded(ByteBuffer data, int origin) {
        methodLength = searched - methodStart;
        targetStart = searched + 1;
        isHead = isMethod(data, origin, "HEAD");
        isConnect = isMethod(data, origin, "CONNECT");
        return enter(State.TARGET);
    }

    private boolean isMethod(ByteBuffer data, int origin, String name) {
        return HttpChars.is(data, origin + methodStart, methodLength, name);
    }

    private int target(ByteBuffer data, int origin, int c) {
        targetLength = searched - targetStart;
        if (c == ' ') {
            versionStart = searched + 1;
            boolean isOptions = isMethod(data, origin, "OPTIONS");
            int from = origin + targetStart;
            // Reported after the version, because an unknown version may be the reason for a wrong target.
            targetWrong = !TargetSyntax.isTarget(data, from, from + targetLength, isConnect, isOptions);
            return enter(State.VERSION);
        }
        if (targetLength == limits.targetBytes()) {
            return HttpStatus.TARGET_TOO_LONG;
        }
        return HttpChars.target(c) ? INCOMPLETE : HttpStatus.BAD_REQUEST;
    }

    private int version(ByteBuffer data, int origin, int c) {
        int length = searched - versionStart;
        if (c != '\r') {
            return length == VERSION_BYTES ? HttpStatus.BAD_REQUEST : INCOMPLETE;
        }
        int at = origin + versionStart;
        if (length != VERSION_BYTES
                || data.get(at + DOT_AT) != '.'
                || !HttpChars.is(data, at, VERSION.length(), VERSION)) {
            return HttpStatus.BAD_REQUEST;
        }
        int major = data.get(at + MAJOR_AT) - '0';
        minor = data.get(at + MINOR_AT) - '0';
        if (major < 0 || major > 9 || minor < 0 || minor > 9) {
            minor = 1;
            return HttpStatus.BAD_REQUEST;
        }
        if (major != 1) {
            return HttpStatus.VERSION_NOT_SUPPORTED;
        }
        return targetWrong ? HttpStatus.BAD_REQUEST : enter(State.LINE_END);
    }
}

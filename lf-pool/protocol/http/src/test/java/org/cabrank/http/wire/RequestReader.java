package org.cabrank.http.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.cabrank.http.message.HttpLimits;

/** Reads requests with their bodies from bytes that come in pieces, as a connection does: what was not read is given again. */
public final class RequestReader {
    /** More bytes are needed. */
    public static final int INCOMPLETE = RequestHead.INCOMPLETE;

    /** A request with its body was read. Other results are the status of the error. */
    public static final int REQUEST = RequestHead.COMPLETE;

    private final RequestHead head;
    private final BodyDecoder body;
    private ByteBuffer unread = ByteBuffer.allocate(0);
    private final StringBuilder content = new StringBuilder();
    private boolean inBody;
    private String method = "";
    private String trailers = "";

    public RequestReader() {
        this(HttpLimits.DEFAULT);
    }

    public RequestReader(HttpLimits limits) {
        head = new RequestHead(limits);
        body = new BodyDecoder(limits);
        head.begin();
    }

    /** Adds bytes, and reads the next request. */
    public int read(String bytes) {
        byte[] added = bytes.getBytes(StandardCharsets.ISO_8859_1);
        unread = ByteBuffer.allocate(unread.remaining() + added.length)
                .put(unread)
                .put(added)
                .flip();
        return next();
    }

    public int next() {
        if (!inBody) {
            int result = head.parse(unread);
            if (result != RequestHead.COMPLETE) {
                return result;
            }
            method = head.method(new TextView()).toString();
            unread.position(unread.position() + head.bytes());
            body.begin(head.framing().bodyLength());
            content.setLength(0);
            inBody = true;
        }
        for (; ; ) {
            int result = body.next(unread);
            if (result == BodyDecoder.PIECE) {
                int from = unread.position();
                body.taken(unread);
                for (int i = from; i < unread.position(); i++) {
                    content.append((char) (unread.get(i) & 0xff));
                }
                continue;
            }
            if (result == BodyDecoder.END) {
                trailers = body.trailers().toString();
                keepsAlive = head.framing().keepsAlive();
                version10 = head.isVersion10();
                inBody = false;
                head.begin();
                return REQUEST;
            }
            return result;
        }
    }

    private boolean keepsAlive;
    private boolean version10;

    public String method() {
        return method;
    }

    public String content() {
        return content.toString();
    }

    public String trailers() {
        return trailers;
    }

    public boolean keepsAlive() {
        return keepsAlive;
    }

    public boolean version10() {
        return version10;
    }
}

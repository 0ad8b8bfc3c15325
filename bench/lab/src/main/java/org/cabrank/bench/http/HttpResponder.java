package org.cabrank.bench.http;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.load.Plaintext;
import org.cabrank.http.message.HttpDate;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.http.message.HttpStatus;
import org.cabrank.http.wire.BodyDecoder;
import org.cabrank.http.wire.RequestHead;
import org.cabrank.http.wire.TextView;

/** Answers the requests of one connection like {@link HelloHandler}, for servers without Cabrank's streams. Not thread-safe. */
public final class HttpResponder {

    public static final int ANSWER_BYTES_MAX = 512;

    private static final byte[] HELLO = bytes("HTTP/1.1 200 OK\r\n");
    private static final byte[] HELLO_FIELDS = bytes("Content-Type: text/plain\r\nContent-Length: 13\r\n\r\n");
    private static final byte[] HELLO_BODY = bytes(Plaintext.BODY);
    private static final byte[] SLOW_BODY = bytes(Plaintext.SLOW_BODY);
    private static final byte[] CLOSE = bytes("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = bytes("Connection: keep-alive\r\n");

    /** Enough for an incomplete trailer and the bytes of the read that completes it. */
    private static final int UNREAD_BYTES_MAX = 2 * HttpLimits.DEFAULT.headBytes();

    private final HandlerWork work;
    private final RequestHead head = new RequestHead(HttpLimits.DEFAULT);
    private final BodyDecoder body = new BodyDecoder(HttpLimits.DEFAULT);
    private final TextView method = new TextView();
    private boolean inBody;
    private boolean ended;
    private int status;

    /** Holds the beginning of an incomplete request if {@link #hasUnread} is true. Null until a request is incomplete. */
    private ByteBuffer unread;

    private boolean hasUnread;

    public HttpResponder(HandlerWork work) {
        this.work = work;
        head.begin();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Appends answers to {@code out}. Stops reading {@code data} if {@code out} has no room for {@link #ANSWER_BYTES_MAX}. */
    public void answer(ByteBuffer data, ByteBuffer out) {
        while (hasUnread && data.hasRemaining() && !ended && out.remaining() >= ANSWER_BYTES_MAX) {
            int count = Math.min(data.remaining(), unread.capacity() - unread.position());
            unread.put(data.slice(data.position(), count)).flip();
            data.position(data.position() + count);
            answerAll(unread, out);
            hasUnread = unread.remaining() > count;
            if (hasUnread) {
                unread.compact();
            } else { // the caller sees the rest in data again
                data.position(data.position() - unread.remaining());
            }
        }
        if (!hasUnread) {
            answerAll(data, out);
            if (data.hasRemaining() && !ended && out.remaining() >= ANSWER_BYTES_MAX) {
                keep(data);
            }
        }
        if (ended) {
            data.position(data.limit()); // further requests are dropped
        }
    }

    private void keep(ByteBuffer data) {
        if (unread == null) {
            unread = ByteBuffer.allocate(UNREAD_BYTES_MAX);
        }
        unread.clear().put(data);
        hasUnread = true;
    }

    private void answerAll(ByteBuffer data, ByteBuffer out) {
        while (!ended && data.hasRemaining() && out.remaining() >= ANSWER_BYTES_MAX) {
            int result = inBody ? RequestHead.COMPLETE : beginRequest(data);
            if (result == RequestHead.COMPLETE) {
                result = skipBody(data);
            }
            if (result == RequestHead.INCOMPLETE) {
                return;
            }
            if (result != RequestHead.COMPLETE) {
                ended = true;
                put(out, result, false);
                return;
            }
            inBody = false;
            ended = !head.framing().keepsAlive() || head.framing().expectsContinue();
            boolean slow = work.perform();
            put(out, status, slow);
            head.begin();
        }
    }

    private int beginRequest(ByteBuffer data) {
        int result = head.parse(data);
        if (result == RequestHead.COMPLETE) {
            head.method(method);
            status = method.is("GET") || method.is("HEAD") ? HttpStatus.OK : HelloHandler.statusOf(method.toString());
            data.position(data.position() + head.bytes());
            // If a client waits for 100 Continue, it gets the answer at once. The connection is then closed without
            // reading the body.
            body.begin(head.framing().expectsContinue() ? 0 : head.framing().bodyLength());
            inBody = true;
        }
        return result;
    }

    private int skipBody(ByteBuffer data) {
        int result = body.next(data);
        while (result == BodyDecoder.PIECE) {
            body.taken(data);
            result = body.next(data);
        }
        return result;
    }

    private void put(ByteBuffer out, int answered, boolean slow) {
        boolean hello = answered == HttpStatus.OK;
        out.put(hello ? HELLO : bytes("HTTP/1.1 " + answered + " " + HttpStatus.reason(answered) + "\r\n"));
        out.put(HttpDate.fieldLine());
        if (ended) {
            out.put(CLOSE);
        } else if (head.isVersion10()) {
            out.put(KEEP_ALIVE);
        }
        if (hello) {
            out.put(HELLO_FIELDS);
        } else {
            String text = HttpStatus.reason(answered) + "\n";
            String allowed = answered == HttpStatus.METHOD_NOT_ALLOWED ? "Allow: " + HelloHandler.ALLOWED + "\r\n" : "";
            out.put(bytes(allowed + "Content-Type: text/plain\r\nContent-Length: " + text.length() + "\r\n\r\n"));
            if (!head.isHead()) {
                out.put(bytes(text));
            }
            return;
        }
        if (!head.isHead()) {
            out.put(slow ? SLOW_BODY : HELLO_BODY);
        }
    }

    public boolean ended() {
        return ended;
    }
}

package org.cabrank.bench.fuzz;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.http.message.HttpLimits;
import org.cabrank.http.wire.BodyDecoder;
import org.cabrank.http.wire.RequestHead;
import org.cabrank.http.wire.TextView;

/** The requests that the parsers of the library find in bytes that come in pieces. */
final class ParsedRequests {
    private final RequestHead head = new RequestHead(HttpLimits.DEFAULT);
    private final BodyDecoder body = new BodyDecoder(HttpLimits.DEFAULT);
    private final List<String> outcomes = new ArrayList<>();
    private int requests;
    private final StringBuilder content = new StringBuilder();
    private byte[] unread = {};
    private boolean inBody;
    private String request;

    ParsedRequests() {
        head.begin();
    }

    List<String> outcomes() {
        return outcomes;
    }

    /** The outcomes that are requests, which come first. */
    List<String> requests() {
        return outcomes.subList(0, requests);
    }

    /** Reads a piece behind what is unread; false: the connection has ended. */
    boolean read(ByteBuffer piece) {
        ByteBuffer data = ByteBuffer.allocate(unread.length + piece.remaining())
                .put(unread)
                .put(piece)
                .flip();
        boolean more = true;
        boolean stays = true;
        while (more && stays) {
            int result = inBody ? nextOfBody(data) : beginRequest(data);
            more = result != RequestHead.INCOMPLETE;
            if (more && result != RequestHead.COMPLETE) {
                outcomes.add(result + (head.isHead() ? " to HEAD" : ""));
                stays = false;
            } else if (more && !inBody) {
                stays = head.framing().keepsAlive() && !head.framing().expectsContinue();
                head.begin();
            }
        }
        unread = new byte[data.remaining()];
        data.get(unread);
        return stays;
    }

    private int beginRequest(ByteBuffer data) {
        int result = head.parse(data);
        if (result == RequestHead.COMPLETE) {
            request = head.method(new TextView()) + " " + head.target(new TextView())
                    + (head.isVersion10() ? " 1.0 " : " 1.1 ") + head.framing().keepsAlive() + " " + head.fields();
            data.position(data.position() + head.bytes());
            // A client that waits for a permission gets its answer instead, and the connection ends.
            body.begin(head.framing().expectsContinue() ? 0 : head.framing().bodyLength());
            content.setLength(0);
            inBody = true;
        }
        return result;
    }

    private int nextOfBody(ByteBuffer data) {
        int result = body.next(data);
        if (result == BodyDecoder.PIECE) {
            byte[] piece = new byte[body.pieceBytes()];
            data.get(data.position(), piece);
            content.append(new String(piece, StandardCharsets.ISO_8859_1));
            body.taken(data);
            return RequestHead.COMPLETE;
        }
        if (result == BodyDecoder.END) {
            inBody = false;
            requests++;
            outcomes.add(request + " " + content + " " + body.trailers());
        }
        return result;
    }

    void end() {
        outcomes.add(inBody ? "in the body" : head.hasBegun() ? "in the head" : "between requests");
    }
}

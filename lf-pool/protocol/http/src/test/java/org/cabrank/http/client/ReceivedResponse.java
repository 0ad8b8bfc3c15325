package org.cabrank.http.client;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.cabrank.http.message.HttpFields;

/** A response as its handler has received it, as text. Read by the test when the connection stands still. */
final class ReceivedResponse implements HttpResponseHandler {
    private final StringBuffer text = new StringBuffer();
    private volatile HttpTransfer transfer;
    private volatile Throwable failure;
    private volatile boolean complete;

    /** The transfer pauses at each piece. */
    private final boolean pausing;

    ReceivedResponse() {
        this(false);
    }

    ReceivedResponse(boolean pausing) {
        this.pausing = pausing;
    }

    @Override
    public void head(HttpTransfer own, int status, HttpFields fields) {
        transfer = own;
        text.append(status).append(' ');
        if (pausing) {
            own.pause();
        }
    }

    @Override
    public void data(HttpTransfer own, ByteBuffer bytes) {
        text.append(StandardCharsets.ISO_8859_1.decode(bytes));
        if (pausing) {
            own.pause();
        }
    }

    @Override
    public void end(HttpTransfer own, HttpFields trailers) {
        text.append(trailers.count() == 0 ? "" : " " + trailers);
        complete = true;
    }

    @Override
    public void failed(Throwable cause) {
        failure = cause;
    }

    HttpTransfer transfer() {
        return transfer;
    }

    Throwable failure() {
        return failure;
    }

    boolean isComplete() {
        return complete;
    }

    /** Status, body and trailer fields as far as they have come. */
    String text() {
        return text.toString();
    }
}

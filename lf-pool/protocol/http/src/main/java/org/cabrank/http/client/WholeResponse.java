package org.cabrank.http.client;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.cabrank.http.message.HttpFields;

final class WholeResponse implements HttpResponseHandler {
    private final CompletableFuture<HttpResponse> future = new CompletableFuture<>();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;
    private Map<String, List<String>> fields;

    CompletableFuture<HttpResponse> future() {
        return future;
    }

    @Override
    public void head(HttpTransfer transfer, int received, HttpFields receivedFields) {
        status = received;
        fields = receivedFields.toMap();
    }

    @Override
    public void data(HttpTransfer transfer, ByteBuffer bytes) {
        byte[] piece = new byte[bytes.remaining()];
        bytes.get(piece);
        body.writeBytes(piece);
    }

    @Override
    public void end(HttpTransfer transfer, HttpFields trailers) {
        future.complete(new HttpResponse(status, fields, body.toByteArray()));
    }

    @Override
    public void failed(Throwable cause) {
        future.completeExceptionally(cause);
    }
}

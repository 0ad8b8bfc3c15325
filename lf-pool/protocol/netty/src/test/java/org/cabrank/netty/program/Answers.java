package org.cabrank.netty.program;

import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** The responses of a call: all messages, and the status at its end. */
final class Answers implements ClientResponseObserver<byte[], byte[]> {
    final List<byte[]> messages = new CopyOnWriteArrayList<>();
    final CompletableFuture<Status> end = new CompletableFuture<>();
    volatile ClientCallStreamObserver<byte[]> call;

    @Override
    public void beforeStart(ClientCallStreamObserver<byte[]> started) {
        call = started;
    }

    @Override
    public void onNext(byte[] message) {
        messages.add(message);
    }

    @Override
    public void onError(Throwable failure) {
        end.complete(Status.fromThrowable(failure));
    }

    @Override
    public void onCompleted() {
        end.complete(Status.OK);
    }
}

package org.cabrank.netty.program;

import io.grpc.Context;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.fixture.Await;

/** The service of the gRPC tests. */
final class GrpcService {
    static final int COUNTED_BYTES = 300;

    final AtomicInteger cancelled = new AtomicInteger();
    final AtomicInteger blocked = new AtomicInteger();
    final CountDownLatch release = new CountDownLatch(1);

    ServerServiceDefinition definition() {
        return ServerServiceDefinition.builder(GrpcMethods.SERVICE)
                .addMethod(GrpcMethods.UNARY, ServerCalls.asyncUnaryCall(GrpcService::answer))
                .addMethod(GrpcMethods.SILENT, ServerCalls.asyncUnaryCall(this::keepSilent))
                .addMethod(GrpcMethods.BLOCKING, ServerCalls.asyncUnaryCall(this::block))
                .addMethod(GrpcMethods.SUM, ServerCalls.asyncClientStreamingCall(GrpcService::sum))
                .addMethod(GrpcMethods.COUNT, ServerCalls.asyncServerStreamingCall(GrpcService::count))
                .addMethod(GrpcMethods.ECHO, ServerCalls.asyncBidiStreamingCall(this::echo))
                .build();
    }

    private static void answer(byte[] request, StreamObserver<byte[]> response) {
        response.onNext(request);
        response.onCompleted();
    }

    private void keepSilent(byte[] request, StreamObserver<byte[]> response) {
        Context.current().addListener(context -> cancelled.incrementAndGet(), Runnable::run);
    }

    private void block(byte[] request, StreamObserver<byte[]> response) {
        blocked.incrementAndGet();
        try {
            if (!release.await(Await.PATIENCE_NS, TimeUnit.NANOSECONDS)) {
                throw new AssertionError("not released");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        answer(request, response);
    }

    private static StreamObserver<byte[]> sum(StreamObserver<byte[]> response) {
        return new StreamObserver<>() {
            private int bytes;

            @Override
            public void onNext(byte[] request) {
                bytes += request.length;
            }

            @Override
            public void onError(Throwable failure) {
                response.onError(failure);
            }

            @Override
            public void onCompleted() {
                answer(ByteBuffer.allocate(4).putInt(bytes).array(), response);
            }
        };
    }

    /** Sends as many messages as the request asks for, each as soon as the client's window has room. */
    private static void count(byte[] request, StreamObserver<byte[]> response) {
        ServerCallStreamObserver<byte[]> call = (ServerCallStreamObserver<byte[]>) response;
        AtomicInteger left = new AtomicInteger(ByteBuffer.wrap(request).getInt());
        AtomicInteger sent = new AtomicInteger();
        call.setOnReadyHandler(() -> {
            while (call.isReady() && left.get() > 0) {
                call.onNext(ByteBuffer.allocate(COUNTED_BYTES)
                        .putInt(sent.getAndIncrement())
                        .array());
                if (left.decrementAndGet() == 0) {
                    call.onCompleted();
                }
            }
        });
    }

    private StreamObserver<byte[]> echo(StreamObserver<byte[]> response) {
        ((ServerCallStreamObserver<byte[]>) response).setOnCancelHandler(cancelled::incrementAndGet);
        return new StreamObserver<>() {
            @Override
            public void onNext(byte[] request) {
                response.onNext(request);
            }

            @Override
            public void onError(Throwable failure) {
                // the cancel handler counts it
            }

            @Override
            public void onCompleted() {
                response.onCompleted();
            }
        };
    }
}

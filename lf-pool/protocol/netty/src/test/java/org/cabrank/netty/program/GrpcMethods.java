package org.cabrank.netty.program;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Methods of a gRPC service whose messages are bytes: no generator is needed. */
final class GrpcMethods {
    static final String SERVICE = "cabrank.Bytes";

    static final MethodDescriptor<byte[], byte[]> UNARY = method("Unary", MethodType.UNARY);
    static final MethodDescriptor<byte[], byte[]> SILENT = method("Silent", MethodType.UNARY);
    static final MethodDescriptor<byte[], byte[]> BLOCKING = method("Blocking", MethodType.UNARY);
    static final MethodDescriptor<byte[], byte[]> SUM = method("Sum", MethodType.CLIENT_STREAMING);
    static final MethodDescriptor<byte[], byte[]> COUNT = method("Count", MethodType.SERVER_STREAMING);
    static final MethodDescriptor<byte[], byte[]> ECHO = method("Echo", MethodType.BIDI_STREAMING);

    private GrpcMethods() {}

    private static MethodDescriptor<byte[], byte[]> method(String name, MethodType type) {
        return MethodDescriptor.newBuilder(new Bytes(), new Bytes())
                .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, name))
                .setType(type)
                .build();
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}

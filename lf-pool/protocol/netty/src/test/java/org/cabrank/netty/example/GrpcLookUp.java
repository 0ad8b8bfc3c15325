package org.cabrank.netty.example;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.cabrank.netty.CabrankEventLoopGroup;
import org.cabrank.netty.CabrankServerSocketChannel;

/** A gRPC method that asks a database and waits, in the strand of its connection: no executor, and no other connection waits. */
public final class GrpcLookUp {
    private static final Marshaller<String> TEXT = new Marshaller<>() {
        @Override
        public InputStream stream(String text) {
            return new ByteArrayInputStream(text.getBytes(UTF_8));
        }

        @Override
        public String parse(InputStream bytes) {
            try {
                return new String(bytes.readAllBytes(), UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    public static final MethodDescriptor<String, String> FIND = MethodDescriptor.newBuilder(TEXT, TEXT)
            .setType(MethodType.UNARY)
            .setFullMethodName("example.LookUp/Find")
            .build();

    private GrpcLookUp() {}

    /** @param database blocks until it has the answer */
    public static Server start(CabrankEventLoopGroup group, InetSocketAddress address, UnaryOperator<String> database)
            throws IOException {
        return NettyServerBuilder.forAddress(address)
                .bossEventLoopGroup(group)
                .workerEventLoopGroup(group)
                .channelType(CabrankServerSocketChannel.class)
                .directExecutor()
                .addService(ServerServiceDefinition.builder("example.LookUp")
                        .addMethod(FIND, ServerCalls.asyncUnaryCall((key, response) -> {
                            response.onNext(database.apply(key));
                            response.onCompleted();
                        }))
                        .build())
                .build()
                .start();
    }

    /** Serves the port until SIGTERM. */
    public static void main(String[] arguments) throws IOException {
        CabrankEventLoopGroup group = CabrankEventLoopGroup.builder().build();
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0]));
        Server server = start(group, address, key -> {
            System.out.println("looking up " + key);
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1)); // a slow database
            return key + " is known";
        });
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            try {
                server.shutdown().awaitTermination(30, TimeUnit.SECONDS); // sends GOAWAY; calls under way end
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            group.shutdownGracefully().syncUninterruptibly();
        }));
        System.out.println("listening on " + server.getListenSockets());
    }
}

package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.cabrank.lf.fixture.Await;
import org.cabrank.netty.CabrankEventLoopGroup;
import org.cabrank.netty.example.GrpcLookUp;
import org.cabrank.stream.Backend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The example of a gRPC service that blocks. */
class LookUpTest {
    private static final long PATIENCE_MS = Await.PATIENCE.toMillis();
    private static final int SIGTERM_STATUS = 128 + 15;

    private static ManagedChannel connect(int port) {
        return NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }

    private static ListenableFuture<String> find(ManagedChannel connection, String key) {
        return ClientCalls.futureUnaryCall(connection.newCall(GrpcLookUp.FIND, CallOptions.DEFAULT), key);
    }

    private static String result(ListenableFuture<String> call) throws Exception {
        return call.get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    }

    private static void end(ManagedChannel connection) throws InterruptedException {
        assertTrue(connection.shutdown().awaitTermination(PATIENCE_MS, TimeUnit.MILLISECONDS));
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "iouring"})
    void lookUpThatBlocksDelaysNoOtherConnection(String backend) throws Exception {
        CabrankEventLoopGroup group = CabrankEventLoopGroup.builder()
                .daemon(true)
                .reactor(reactor ->
                        reactor.backend(Backend.named(backend)).shards(1).threadsPerShard(4))
                .build();
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        Server server = GrpcLookUp.start(group, ProgramContract.loopback(), key -> {
            if (key.equals("slow")) {
                blocked.countDown();
                try {
                    assertTrue(release.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return key + " is known";
        });
        ManagedChannel one = connect(server.getPort());
        ManagedChannel other = connect(server.getPort());
        ListenableFuture<String> slow = find(one, "slow");
        assertTrue(blocked.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
        assertEquals("quick is known", result(find(other, "quick")));
        assertFalse(slow.isDone());
        release.countDown();
        assertEquals("slow is known", result(slow));
        end(one);
        end(other);
        assertTrue(server.shutdown().awaitTermination(PATIENCE_MS, TimeUnit.MILLISECONDS));
        assertTrue(group.shutdownGracefully(0, 10, TimeUnit.SECONDS).awaitUninterruptibly(PATIENCE_MS));
    }

    @Test
    void callUnderWayIsAnsweredAfterASigterm() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GrpcLookUp.class.getName(),
                        "0")
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader output = process.inputReader()) {
            String listening = output.readLine();
            ManagedChannel connection = connect(Integer.parseInt(listening.replaceAll(".*:(\\d+)\\D*", "$1")));
            ListenableFuture<String> call = find(connection, "a key");
            assertEquals("looking up a key", output.readLine());
            process.destroy(); // SIGTERM
            assertEquals("a key is known", result(call));
            assertTrue(process.waitFor(PATIENCE_MS, TimeUnit.MILLISECONDS));
            assertEquals(SIGTERM_STATUS, process.exitValue());
            end(connection);
        } finally {
            process.destroyForcibly();
        }
    }
}

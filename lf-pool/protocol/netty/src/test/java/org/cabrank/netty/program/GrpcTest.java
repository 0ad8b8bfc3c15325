package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.Attributes;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallExecutorSupplier;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerTransportFilter;
import io.grpc.Status;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.cabrank.lf.fixture.Await;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** gRPC-java, server and client. */
class GrpcTest extends ProgramContract {
    /** Errors that the tests cause are logged as warnings. */
    private static final Logger LOG = Logger.getLogger("io.grpc");

    private static final int MIB = 1 << 20;
    private static final int FRAME_PING = 6;
    private static final int FLAG_ACK = 1;
    private static final int FRAME_SETTINGS = 4;

    /** Blocks in the strand where the method may. */
    private static final ServerInterceptor BLOCKING = new ServerInterceptor() {
        @Override
        public <Q, A> ServerCall.Listener<Q> interceptCall(
                ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
            if (call.getMethodDescriptor().getFullMethodName().equals(GrpcMethods.BLOCKING.getFullMethodName())) {
                block();
            }
            return next.startCall(call, headers);
        }
    };

    private final GrpcService service = new GrpcService();
    private final List<ManagedChannel> channels = new ArrayList<>();
    private Server server;

    @BeforeAll
    static void logErrorsAlone() {
        LOG.setLevel(Level.SEVERE);
    }

    private void serve(UnaryOperator<NettyServerBuilder> settings) throws IOException {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(loopback())
                .bossEventLoopGroup(group)
                .workerEventLoopGroup(group)
                .channelType(transport.listening())
                .addService(service.definition());
        if (transport.isOurs()) {
            builder.directExecutor(); // Netty's loops must not run methods that block
        }
        server = settings.apply(builder).build().start();
    }

    private InetSocketAddress address() {
        return (InetSocketAddress) server.getListenSockets().get(0);
    }

    /** Each channel is one connection. */
    private ManagedChannel connect(UnaryOperator<NettyChannelBuilder> settings) {
        ManagedChannel channel = settings.apply(newChannel()).build();
        channels.add(channel);
        return channel;
    }

    private NettyChannelBuilder newChannel() {
        return NettyChannelBuilder.forAddress(address())
                .eventLoopGroup(group)
                .channelType(transport.connection())
                .usePlaintext();
    }

    private ManagedChannel connect() {
        return connect(UnaryOperator.identity());
    }

    @AfterEach
    void stop() throws Exception {
        service.release.countDown();
        for (ManagedChannel channel : channels) {
            assertTrue(channel.shutdownNow().awaitTermination(PATIENCE_MS, TimeUnit.MILLISECONDS));
        }
        if (server != null) {
            assertTrue(server.shutdownNow().awaitTermination(PATIENCE_MS, TimeUnit.MILLISECONDS));
        }
    }

    private static ListenableFuture<byte[]> unary(ManagedChannel channel, byte[] request) {
        return ClientCalls.futureUnaryCall(channel.newCall(GrpcMethods.UNARY, CallOptions.DEFAULT), request);
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4).putInt(value).array();
    }

    private static Status.Code failure(ListenableFuture<byte[]> call) {
        return Status.fromThrowable(assertThrows(Exception.class, () -> result(call)))
                .getCode();
    }

    @Test
    void unaryCallsOfSeveralConnectionsAreAnswered() throws Exception {
        serve(UnaryOperator.identity());
        List<ListenableFuture<byte[]>> calls = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ManagedChannel channel = connect();
            for (int j = 0; j < 100; j++) {
                calls.add(unary(channel, number(calls.size())));
            }
        }
        for (int i = 0; i < calls.size(); i++) {
            assertArrayEquals(number(i), result(calls.get(i)));
        }
    }

    @Test
    void clientStreamArrivesWhole() throws Exception {
        serve(UnaryOperator.identity());
        Answers answers = new Answers();
        StreamObserver<byte[]> requests =
                ClientCalls.asyncClientStreamingCall(connect().newCall(GrpcMethods.SUM, CallOptions.DEFAULT), answers);
        for (int i = 0; i < 1_000; i++) {
            requests.onNext(new byte[i]);
        }
        requests.onCompleted();
        assertEquals(Status.Code.OK, result(answers.end).getCode());
        assertArrayEquals(number(999 * 1_000 / 2), answers.messages.get(0));
    }

    @Test
    void serverStreamKeepsToTheWindowAndItsOrder() throws Exception {
        serve(UnaryOperator.identity());
        Answers answers = new Answers();
        int messages = 2_000;
        ClientCalls.asyncServerStreamingCall(
                connect().newCall(GrpcMethods.COUNT, CallOptions.DEFAULT), number(messages), answers);
        assertEquals(Status.Code.OK, result(answers.end).getCode());
        assertEquals(messages, answers.messages.size());
        for (int i = 0; i < messages; i++) {
            assertEquals(i, ByteBuffer.wrap(answers.messages.get(i)).getInt());
        }
    }

    @Test
    void bothDirectionsOfAStreamAreIndependent() throws Exception {
        serve(UnaryOperator.identity());
        ManagedChannel channel = connect();
        List<Answers> streams = new ArrayList<>();
        List<StreamObserver<byte[]>> requests = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Answers answers = new Answers();
            streams.add(answers);
            requests.add(ClientCalls.asyncBidiStreamingCall(
                    channel.newCall(GrpcMethods.ECHO, CallOptions.DEFAULT), answers));
        }
        for (int i = 0; i < 200; i++) {
            for (StreamObserver<byte[]> each : requests) {
                each.onNext(number(i));
            }
        }
        requests.forEach(StreamObserver::onCompleted);
        for (Answers each : streams) {
            assertEquals(Status.Code.OK, result(each.end).getCode());
            assertEquals(200, each.messages.size());
            assertArrayEquals(number(199), each.messages.get(199));
        }
    }

    @Test
    void deadlineEndsTheCallAtBothSides() throws Exception {
        serve(UnaryOperator.identity());
        ManagedChannel channel = connect();
        result(unary(channel, number(1)));
        assertEquals(
                Status.Code.DEADLINE_EXCEEDED,
                failure(ClientCalls.futureUnaryCall(
                        channel.newCall(
                                GrpcMethods.SILENT, CallOptions.DEFAULT.withDeadlineAfter(50, TimeUnit.MILLISECONDS)),
                        number(0))));
        Await.until("the server's context is cancelled", () -> service.cancelled.get() == 1);
        result(unary(channel, number(1)));
    }

    @Test
    void cancelReachesTheServerAndLeavesTheConnection() throws Exception {
        serve(UnaryOperator.identity());
        ManagedChannel channel = connect();
        Answers answers = new Answers();
        StreamObserver<byte[]> requests =
                ClientCalls.asyncBidiStreamingCall(channel.newCall(GrpcMethods.ECHO, CallOptions.DEFAULT), answers);
        requests.onNext(number(1));
        Await.until("the echo", () -> answers.messages.size() == 1);
        answers.call.cancel("enough", null);
        assertEquals(Status.Code.CANCELLED, result(answers.end).getCode());
        Await.until("the cancel handler", () -> service.cancelled.get() == 1);
        result(unary(channel, number(1)));
    }

    @Test
    void messageOverTheLimitFailsItsCallAlone() throws Exception {
        serve(builder -> builder.maxInboundMessageSize(100_000));
        ManagedChannel channel = connect(builder -> builder.maxInboundMessageSize(10_000));
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, failure(unary(channel, new byte[100_001])));
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, failure(unary(channel, new byte[10_001])));
        assertArrayEquals(new byte[10_000], result(unary(channel, new byte[10_000])));
    }

    /** Answers a ping of the server and then no more, as a peer whose network is gone. gRPC waits for at least 10 s before a ping. */
    @Test
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    void keepAliveEndsAConnectionThatAnswersNoPing() throws Exception {
        serve(builder -> builder.keepAliveTime(10, TimeUnit.SECONDS).keepAliveTimeout(200, TimeUnit.MILLISECONDS));
        try (Socket socket = new Socket(address().getAddress(), address().getPort())) {
            socket.setSoTimeout((int) PATIENCE_MS);
            socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(frame(FRAME_SETTINGS, 0, new byte[0]));
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int pings = 0;
            try {
                for (; ; ) {
                    int length = in.readUnsignedShort() << 8 | in.readUnsignedByte();
                    int type = in.readUnsignedByte();
                    int flags = in.readUnsignedByte();
                    in.readInt();
                    byte[] payload = in.readNBytes(length);
                    if (type == FRAME_PING && (flags & FLAG_ACK) == 0 && ++pings == 1) {
                        socket.getOutputStream().write(frame(FRAME_PING, FLAG_ACK, payload));
                    }
                }
            } catch (EOFException end) {
                assertTrue(pings == 2, () -> "the connection has ended too early: " + end);
            }
        }
    }

    private static byte[] frame(int type, int flags, byte[] payload) {
        return ByteBuffer.allocate(9 + payload.length)
                .put((byte) 0)
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags)
                .putInt(0)
                .put(payload)
                .array();
    }

    /** The server sends GOAWAY by a timer, and ends the connection when its streams have ended. */
    @Test
    void callsGoOnWhileTheServerEndsConnectionsByAge() throws Exception {
        AtomicInteger ended = new AtomicInteger();
        serve(builder -> builder.maxConnectionAge(1, TimeUnit.SECONDS).addTransportFilter(new ServerTransportFilter() {
            @Override
            public void transportTerminated(Attributes attributes) {
                ended.incrementAndGet();
            }
        }));
        ManagedChannel channel = connect();
        Await.until("the connection has ended", () -> {
            try {
                result(unary(channel, number(1)));
                return ended.get() > 0;
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        assertArrayEquals(number(2), result(unary(channel, number(2))));
    }

    /** The keep-alive of gRPC sets TCP_USER_TIMEOUT for Netty's epoll channels alone. A client over this transport sets the option itself. */
    @Test
    void clientWithKeepAliveHasTheOptionsOfTheKernel() throws Exception {
        serve(UnaryOperator.identity());
        AtomicReference<Channel> connection = new AtomicReference<>();
        ManagedChannel channel = connect(builder -> builder.keepAliveTime(10, TimeUnit.SECONDS)
                .keepAliveTimeout(7, TimeUnit.SECONDS)
                .withOption(EpollChannelOption.TCP_USER_TIMEOUT, 7_000)
                .channelFactory(() -> {
                    connection.set(transport.newConnection());
                    return connection.get();
                }));
        assertArrayEquals(number(1), result(unary(channel, number(1))));
        assertEquals(true, connection.get().config().getOption(ChannelOption.SO_KEEPALIVE));
        assertEquals(7_000, connection.get().config().getOption(EpollChannelOption.TCP_USER_TIMEOUT));
    }

    @Test
    void tlsWithAlpnCarriesCalls() throws Exception {
        X509Bundle certificate = new CertificateBuilder()
                .subject("cn=localhost")
                .addSanDnsName("localhost")
                .setIsCertificateAuthority(true)
                .buildSelfSigned();
        SslContext ofServer = GrpcSslContexts.configure(SslContextBuilder.forServer(certificate.toKeyManagerFactory()))
                .build();
        SslContext ofClient = GrpcSslContexts.forClient()
                .trustManager(certificate.toTrustManagerFactory())
                .build();
        serve(builder -> builder.sslContext(ofServer));
        ManagedChannel channel = connect(builder ->
                builder.useTransportSecurity().overrideAuthority("localhost").sslContext(ofClient));
        byte[] large = new byte[MIB];
        large[MIB - 1] = 1;
        assertArrayEquals(large, result(unary(channel, large)));
    }

    /** A shutdown is what a service does at SIGTERM. */
    @Test
    void streamsFinishAfterAShutdown() throws Exception {
        serve(UnaryOperator.identity());
        ManagedChannel channel = connect();
        Answers answers = new Answers();
        StreamObserver<byte[]> requests =
                ClientCalls.asyncBidiStreamingCall(channel.newCall(GrpcMethods.ECHO, CallOptions.DEFAULT), answers);
        requests.onNext(number(1));
        Await.until("the echo", () -> answers.messages.size() == 1);
        server.shutdown();
        Await.until("new calls are refused", () -> {
            try {
                result(unary(channel, number(0)));
                return false;
            } catch (Exception refused) {
                return Status.fromThrowable(refused).getCode() == Status.Code.UNAVAILABLE;
            }
        });
        requests.onNext(number(2));
        Await.until("the echo", () -> answers.messages.size() == 2);
        assertFalse(server.isTerminated());
        requests.onCompleted();
        assertEquals(Status.Code.OK, result(answers.end).getCode());
        assertTrue(server.awaitTermination(PATIENCE_MS, TimeUnit.MILLISECONDS));
    }

    private ListenableFuture<byte[]> block(ManagedChannel channel) {
        int before = service.blocked.get();
        ListenableFuture<byte[]> call =
                ClientCalls.futureUnaryCall(channel.newCall(GrpcMethods.BLOCKING, CallOptions.DEFAULT), number(7));
        Await.until("the method blocks", () -> service.blocked.get() > before);
        return call;
    }

    @Test
    void blockingMethodDelaysNoOtherConnection() throws Exception {
        serve(UnaryOperator.identity());
        List<ListenableFuture<byte[]>> blocked = List.of(block(connect()), block(connect()));
        for (int i = 0; i < 4; i++) {
            assertArrayEquals(number(i), result(unary(connect(), number(i))));
        }
        service.release.countDown();
        for (ListenableFuture<byte[]> each : blocked) {
            assertArrayEquals(number(7), result(each));
        }
    }

    /** All streams of a connection are on one strand. */
    @Test
    void blockingMethodDelaysTheOtherStreamsOfItsConnection() throws Exception {
        assumeTrue(transport.isOurs(), "a blocked loop of Netty's delays other connections, too");
        serve(UnaryOperator.identity());
        ManagedChannel shared = connect();
        ListenableFuture<byte[]> blocked = block(shared);
        ListenableFuture<byte[]> behind = unary(shared, number(1));
        assertArrayEquals(number(2), result(unary(connect(), number(2))));
        assertFalse(behind.isDone());
        service.release.countDown();
        assertArrayEquals(number(7), result(blocked));
        assertArrayEquals(number(1), result(behind));
    }

    /** The first way out: an executor for the method that blocks, and for no other. */
    @Test
    void blockingMethodWithAnExecutorOfItsOwnDelaysNoStream() throws Exception {
        ExecutorService blocking = Executors.newCachedThreadPool();
        try {
            serve(builder -> builder.callExecutor(new ServerCallExecutorSupplier() {
                @Override
                public <Q, A> Executor getExecutor(ServerCall<Q, A> call, Metadata metadata) {
                    return call.getMethodDescriptor()
                                    .getFullMethodName()
                                    .equals(GrpcMethods.BLOCKING.getFullMethodName())
                            ? blocking
                            : null;
                }
            }));
            ManagedChannel shared = connect();
            ListenableFuture<byte[]> blocked = block(shared);
            assertArrayEquals(number(1), result(unary(shared, number(1))));
            assertFalse(blocked.isDone());
            service.release.countDown();
            assertArrayEquals(number(7), result(blocked));
        } finally {
            blocking.shutdown();
        }
    }

    /** Reads a few messages of many, one by one, and cancels the call. */
    private static void readSlowly(ManagedChannel channel) throws InterruptedException {
        CountDownLatch ended = new CountDownLatch(1);
        ClientCall<byte[], byte[]> call = channel.newCall(GrpcMethods.COUNT, CallOptions.DEFAULT);
        call.start(
                new ClientCall.Listener<>() {
                    private int left = 5;

                    @Override
                    public void onMessage(byte[] message) {
                        if (--left == 0) {
                            call.cancel("enough", null);
                        } else {
                            call.request(1);
                        }
                    }

                    @Override
                    public void onClose(Status status, Metadata trailers) {
                        ended.countDown();
                    }
                },
                new Metadata());
        call.request(1);
        call.sendMessage(number(100_000));
        call.halfClose();
        assertTrue(ended.await(PATIENCE_MS, TimeUnit.MILLISECONDS));
    }

    @Test
    @EnabledIfSystemProperty(named = SOAK, matches = ".+")
    void loadWithResetsSlowReadersAndBlockingLeavesNothing() throws Exception {
        service.release.countDown();
        serve(builder -> builder.intercept(BLOCKING));
        load(random -> {
            reset(address(), "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0".getBytes(StandardCharsets.US_ASCII));
            ManagedChannel channel = newChannel().build();
            for (int i = 0; i < 20; i++) {
                byte[] request = new byte[random.nextInt(100_000)];
                assertArrayEquals(request, result(unary(channel, request)));
            }
            readSlowly(channel);
            result(ClientCalls.futureUnaryCall(channel.newCall(GrpcMethods.BLOCKING, CallOptions.DEFAULT), number(1)));
            unary(channel, new byte[200_000]); // cancelled by the end of the channel
            assertTrue(channel.shutdownNow().awaitTermination(PATIENCE_MS, TimeUnit.MILLISECONDS));
        });
        awaitStrands(1);
    }
}

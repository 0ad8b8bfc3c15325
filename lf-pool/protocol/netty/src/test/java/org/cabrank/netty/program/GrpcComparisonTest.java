package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import io.netty.channel.EventLoopGroup;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.netty.CabrankEventLoopGroup;
import org.cabrank.stream.Backend;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Compares gRPC over this transport with gRPC over Netty's own: calls per second, and the latency of calls that do not block. It prints, and
 * asserts nothing about time. Servers run on CPU 0, and the load on CPU 1:
 *
 * <pre>
 * mvn -pl lf-pool/protocol/netty -am test -Dtest=GrpcComparisonTest -Dsurefire.failIfNoSpecifiedTests=false -Dcabrank.grpc.slices=16
 * </pre>
 */
@EnabledIfSystemProperty(named = "cabrank.grpc.slices", matches = "[1-9][0-9]*")
class GrpcComparisonTest {
    private static final long SLICE_MS = 1_000;
    private static final long WARM_UP_MS = 5_000;
    private static final long BLOCK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int CALLS_IN_FLIGHT = 64;
    private static final int MESSAGE_BYTES = 64;

    private enum Contender {
        NETTYS_EPOLL(ProgramTransport.NETTYS_EPOLL, true),
        EPOLL(ProgramTransport.EPOLL, true),
        IOURING(ProgramTransport.IOURING, true),
        NETTYS_EPOLL_WITH_EXECUTOR(ProgramTransport.NETTYS_EPOLL, false),
        EPOLL_WITH_EXECUTOR(ProgramTransport.EPOLL, false);

        final ProgramTransport transport;
        final boolean direct;

        Contender(ProgramTransport transport, boolean direct) {
            this.transport = transport;
            this.direct = direct;
        }

        /** With as many threads as each has by default. */
        EventLoopGroup start() {
            return transport.isOurs()
                    ? CabrankEventLoopGroup.builder()
                            .daemon(true)
                            .reactor(reactor -> reactor.backend(
                                    Backend.named(transport.name().toLowerCase(Locale.ROOT))))
                            .build()
                    : transport.start(0);
        }
    }

    private record Slice(double callsPerSecond, double p50Ms, double p99Ms) {}

    @Test
    void calls() throws Exception {
        Process load =
                onCpu(1, "load", System.getProperty("cabrank.grpc.slices")).start();
        new BufferedReader(new InputStreamReader(load.getInputStream())).lines().forEach(System.out::println);
        assertEquals(0, load.waitFor());
    }

    private static ProcessBuilder onCpu(int cpu, String... arguments) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String classes = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        List<String> command = new ArrayList<>(List.of("taskset", "-c", Integer.toString(cpu), java));
        command.addAll(
                List.of("--enable-native-access=ALL-UNNAMED", "-cp", classes, GrpcComparisonTest.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    }

    private static void compare(int slices) throws Exception {
        for (int permille : new int[] {0, 10}) {
            compare(slices, CALLS_IN_FLIGHT, permille);
            compare(slices, 1, permille);
        }
    }

    private static void compare(int slices, int connections, int permille) throws Exception {
        List<Load> loads = new ArrayList<>();
        try {
            for (Contender contender : Contender.values()) {
                loads.add(new Load(contender, connections, permille));
            }
            for (Load load : loads) {
                load.run(WARM_UP_MS);
            }
            for (int i = 0; i < slices; i++) {
                for (Load load : loads) {
                    load.slices.add(load.run(SLICE_MS));
                }
            }
        } finally {
            for (Load load : loads) {
                load.close();
            }
        }
        System.out.printf(
                "%d connections, %d calls in flight, %d per mille block for 10 ms%n",
                connections, CALLS_IN_FLIGHT, permille);
        List<Slice> baseline = loads.get(0).slices;
        for (Load load : loads) {
            System.out.printf(
                    "  %-27s %8.0f calls/s, p50 %6.3f ms, p99 %7.3f ms; ratios: calls %s, p50 %s, p99 %s%n",
                    load.contender,
                    median(load.slices.stream()
                            .mapToDouble(Slice::callsPerSecond)
                            .toArray()),
                    median(load.slices.stream().mapToDouble(Slice::p50Ms).toArray()),
                    median(load.slices.stream().mapToDouble(Slice::p99Ms).toArray()),
                    ratio(
                            load.slices.stream()
                                    .mapToDouble(Slice::callsPerSecond)
                                    .toArray(),
                            baseline.stream().mapToDouble(Slice::callsPerSecond).toArray()),
                    ratio(
                            load.slices.stream().mapToDouble(Slice::p50Ms).toArray(),
                            baseline.stream().mapToDouble(Slice::p50Ms).toArray()),
                    ratio(
                            load.slices.stream().mapToDouble(Slice::p99Ms).toArray(),
                            baseline.stream().mapToDouble(Slice::p99Ms).toArray()));
        }
    }

    private static double median(double[] values) {
        Arrays.sort(values);
        return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
    }

    /** The median of the pairs' ratios with its 95 % interval: by the binomial distribution, n / 2 - sqrt(n) values from either end. */
    private static String ratio(double[] values, double[] baseline) {
        double[] ratios = new double[values.length];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = values[i] / baseline[i];
        }
        Arrays.sort(ratios);
        int lowest = Math.max(0, (int) Math.floor(ratios.length / 2.0 - Math.sqrt(ratios.length)));
        return String.format("%.3f (%.3f-%.3f)", median(ratios), ratios[lowest], ratios[ratios.length - 1 - lowest]);
    }

    /** A server process, and the connections to it. */
    private static final class Load {
        final Contender contender;
        final List<Slice> slices = new ArrayList<>();
        private final int permille;
        private final Process server;
        private final EventLoopGroup group;
        private final List<ManagedChannel> channels = new ArrayList<>();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final AtomicInteger underWay = new AtomicInteger();
        private final long[] latencies = new long[1 << 20];
        private final AtomicInteger answered = new AtomicInteger();
        private final AtomicInteger unblocked = new AtomicInteger();
        private volatile long endNs;

        Load(Contender contender, int connections, int permille) throws Exception {
            this.contender = contender;
            this.permille = permille;
            server = onCpu(0, "serve", contender.name()).start();
            String line = new BufferedReader(new InputStreamReader(server.getInputStream())).readLine();
            var address = new InetSocketAddress("127.0.0.1", Integer.parseInt(line));
            group = contender.start();
            for (int i = 0; i < connections; i++) {
                channels.add(NettyChannelBuilder.forAddress(address)
                        .eventLoopGroup(group)
                        .channelType(contender.transport.connection())
                        .usePlaintext()
                        .directExecutor()
                        .build());
            }
        }

        Slice run(long ms) throws Exception {
            answered.set(0);
            unblocked.set(0);
            long startNs = System.nanoTime();
            endNs = startNs + TimeUnit.MILLISECONDS.toNanos(ms);
            underWay.set(CALLS_IN_FLIGHT);
            for (int i = 0; i < CALLS_IN_FLIGHT; i++) {
                call(channels.get(i % channels.size()));
            }
            while (underWay.get() > 0) {
                LockSupport.parkNanos(1_000_000);
            }
            double seconds = (System.nanoTime() - startNs) / 1e9;
            if (failure.get() != null) {
                throw new IllegalStateException(failure.get());
            }
            long[] sorted = Arrays.copyOf(latencies, Math.min(latencies.length, unblocked.get()));
            Arrays.sort(sorted);
            return new Slice(
                    answered.get() / seconds, sorted[sorted.length / 2] / 1e6, sorted[sorted.length * 99 / 100] / 1e6);
        }

        private void call(ManagedChannel channel) {
            byte[] request = new byte[MESSAGE_BYTES];
            boolean blocks = ThreadLocalRandom.current().nextInt(1_000) < permille;
            request[0] = (byte) (blocks ? 1 : 0);
            long startNs = System.nanoTime();
            Futures.addCallback(
                    ClientCalls.futureUnaryCall(channel.newCall(GrpcMethods.UNARY, CallOptions.DEFAULT), request),
                    new FutureCallback<>() {
                        @Override
                        public void onSuccess(byte[] answer) {
                            long nowNs = System.nanoTime();
                            answered.incrementAndGet();
                            if (!blocks) {
                                latencies[unblocked.getAndIncrement() % latencies.length] = nowNs - startNs;
                            }
                            if (answer.length != MESSAGE_BYTES) {
                                onFailure(new AssertionError(answer.length + " bytes"));
                            } else if (nowNs - endNs < 0) {
                                call(channel);
                            } else {
                                underWay.decrementAndGet();
                            }
                        }

                        @Override
                        public void onFailure(Throwable failed) {
                            failure.compareAndSet(null, failed);
                            underWay.decrementAndGet();
                        }
                    },
                    MoreExecutors.directExecutor());
        }

        void close() throws InterruptedException {
            for (ManagedChannel channel : channels) {
                channel.shutdownNow().awaitTermination(1, TimeUnit.MINUTES);
            }
            server.destroy();
            server.waitFor();
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
        }
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("load")) {
            compare(Integer.parseInt(arguments[1]));
        } else {
            serve(Contender.valueOf(arguments[1]));
        }
    }

    /** Until SIGTERM. */
    private static void serve(Contender contender) throws Exception {
        EventLoopGroup group = contender.start();
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", 0))
                .bossEventLoopGroup(group)
                .workerEventLoopGroup(group)
                .channelType(contender.transport.listening())
                .addService(ServerServiceDefinition.builder(GrpcMethods.SERVICE)
                        .addMethod(GrpcMethods.UNARY, ServerCalls.asyncUnaryCall(GrpcComparisonTest::answer))
                        .build());
        if (contender.direct) {
            builder.directExecutor();
        }
        Server server = builder.build().start();
        System.out.println(server.getPort());
        server.awaitTermination();
    }

    private static void answer(byte[] request, StreamObserver<byte[]> response) {
        if (request[0] != 0) {
            LockSupport.parkNanos(BLOCK_NS);
        }
        response.onNext(request);
        response.onCompleted();
    }
}

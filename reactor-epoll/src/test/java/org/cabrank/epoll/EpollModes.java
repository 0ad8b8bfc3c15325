package org.cabrank.epoll;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Waiting;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamSettings;

/** The ways to build an epoll reactor that the contract is run over. */
final class EpollModes {
    private static final int SEVERAL = 3;

    private EpollModes() {}

    /** Every kernel with every kind of pool and of deactivation. */
    static Stream<ReactorMode> all() {
        List<ReactorMode> modes = new ArrayList<>();
        for (TestKernel kernel : TestKernel.all()) {
            for (Deactivation deactivation : Deactivation.values()) {
                modes.add(mode(kernel.name(), kernel::kernel, 1, Promotion.deferred(), deactivation, Waiting.block()));
                modes.add(
                        mode(kernel.name(), kernel::kernel, SEVERAL, Promotion.eager(), deactivation, Waiting.block()));
                modes.add(mode(
                        kernel.name(), kernel::kernel, SEVERAL, Promotion.deferred(), deactivation, Waiting.block()));
            }
        }
        modes.add(mode(
                "any kernel",
                TestKernel::any,
                2,
                Promotion.deferred(),
                Deactivation.CLAIM,
                Waiting.spinThenBlock(Duration.ofNanos(50_000))));
        return modes.stream();
    }

    /** The pools that differ most, and once the other kernel with the other deactivation; in a soak all. */
    static Stream<ReactorMode> pools() {
        return Modes.named(all(), "panama 1 claim", "panama 3 deferred\\S* claim", "jna 3 deferred\\S* oneshot");
    }

    /** The pools that differ most, and once the other kernel; in a soak all. */
    static Stream<ReactorMode> differing() {
        return Modes.named(all(), "panama 1 claim", "panama 3 deferred\\S* claim", "jna 1 claim");
    }

    /** The default pool, and once the other kernel: for what hardly depends on the pool. In a soak all. */
    static Stream<ReactorMode> kernels() {
        return Modes.named(all(), "panama 3 deferred\\S* claim", "jna 1 claim");
    }

    /** Two shards that share an address in every way, alone and with followers. */
    static Stream<ReactorMode> accepting() {
        return Stream.of(AcceptMode.values())
                .flatMap(accept -> Stream.of(
                                plain(TestKernel::any),
                                mode(
                                        "",
                                        TestKernel::any,
                                        SEVERAL,
                                        Promotion.deferred(),
                                        Deactivation.CLAIM,
                                        Waiting.block()))
                        .map(mode -> mode.withShards(2, accept)));
    }

    /** Two shards, with every kind of pool and of deactivation. */
    static Stream<ReactorMode> moving() {
        return Stream.of(Deactivation.values())
                .flatMap(deactivation -> Stream.of(
                        mode("", TestKernel::any, 1, Promotion.deferred(), deactivation, Waiting.block()),
                        mode("", TestKernel::any, SEVERAL, Promotion.eager(), deactivation, Waiting.block()),
                        mode("", TestKernel::any, SEVERAL, Promotion.deferred(), deactivation, Waiting.block())))
                .map(mode -> mode.withShards(2, AcceptMode.DISPATCH));
    }

    /** Two shards that find their size. */
    static Stream<ReactorMode> growing() {
        return Stream.of(mode("growing", TestKernel::any, 0, Promotion.deferred(), Deactivation.CLAIM, Waiting.block())
                .withShards(2, AcceptMode.DISPATCH));
    }

    /** A kernel of the test's own under shards that hand connections over, and under several threads; in a soak under more pools. */
    static Stream<ReactorMode> over(Supplier<Kernel> kernel) {
        ReactorMode handingOver = plain(kernel).withShards(2, AcceptMode.DISPATCH);
        ReactorMode several = mode("", kernel, SEVERAL, Promotion.deferred(), Deactivation.ONESHOT, Waiting.block());
        return Modes.isSoak()
                ? Stream.of(
                        handingOver,
                        plain(kernel),
                        mode("", kernel, SEVERAL, Promotion.eager(), Deactivation.CLAIM, Waiting.block()),
                        several)
                : Stream.of(handingOver, several);
    }

    /**
     * As {@link #over}, under several threads, in a soak also under one for each shard: for what the shard does, which has one thread over
     * the other backend.
     */
    static Stream<ReactorMode> several(Supplier<Kernel> kernel) {
        List<ReactorMode> all = over(kernel).toList();
        ReactorMode several = all.get(all.size() - 1);
        return Modes.isSoak() ? Stream.of(all.get(0), several) : Stream.of(several);
    }

    /** One thread, claim: for tests that are about neither. */
    static ReactorMode plain(Kernel kernel) {
        return plain(() -> kernel);
    }

    /** As {@link #plain(Kernel)}, with several threads. */
    static ReactorMode plain(Kernel kernel, int threads) {
        return mode("", () -> kernel, threads, Promotion.deferred(), Deactivation.CLAIM, Waiting.block());
    }

    private static ReactorMode plain(Supplier<Kernel> kernel) {
        return mode("", kernel, 1, Promotion.deferred(), Deactivation.CLAIM, Waiting.block());
    }

    private static ReactorMode mode(
            String kernelName,
            Supplier<Kernel> kernel,
            int threads,
            Promotion promotion,
            Deactivation deactivation,
            Waiting waiting) {
        String name = kernelName + " " + threads + " " + (threads > 1 ? promotion + " " : "")
                + deactivation.name().toLowerCase(java.util.Locale.ROOT)
                + (waiting.spinNs() == 0 ? "" : " " + waiting);
        return new ReactorMode(name.strip(), provider(kernel), threads, promotion, deactivation, waiting);
    }

    private static BackendProvider provider(Supplier<Kernel> kernel) {
        return new BackendProvider() {
            @Override
            public String name() {
                return EpollBackendProvider.NAME;
            }

            @Override
            public int rank() {
                return 0;
            }

            @Override
            public StreamBackend open(StreamSettings settings) throws IOException {
                return new EpollBackend(kernel.get(), settings);
            }
        };
    }
}

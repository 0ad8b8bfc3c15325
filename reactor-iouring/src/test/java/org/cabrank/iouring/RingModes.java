package org.cabrank.iouring;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.ForwardingKernel;
import org.cabrank.kernel.IoUring;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Waiting;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.StreamSettings;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.transport.StreamBackend;

/** The ways to build an io_uring reactor that the contract is run over. */
final class RingModes {
    private static final int SEVERAL = 3;

    /** Few buffers, of many pieces each. */
    private static final RingOptions INCREMENTAL =
            RingOptions.DEFAULT.withReceiveBuffers(8, 4 << 10).withIncremental(true);

    /** Small buffers, many for each receive. */
    private static final RingOptions BUNDLES = RingOptions.DEFAULT.withReceiveBuffers(64, 512);

    /** One buffer for each receive, as before Linux 6.10. */
    private static final RingOptions UNBUNDLED = RingOptions.DEFAULT.withBundles(false);

    /** A completion queue that grows while it serves. */
    private static final RingOptions GROWING =
            RingOptions.DEFAULT.withEntries(4, 4_096).withCompletionsAtStart(4).withRestricted(true);

    /** A table of files, and no operation allowed but those that the reactor needs. */
    private static final RingOptions REGISTERED =
            RingOptions.DEFAULT.withRegisteredFiles(true).withRestricted(true);

    private RingModes() {}

    /** Every kernel with every kind of ring and pool. */
    static Stream<ReactorMode> all() {
        List<ReactorMode> modes = new ArrayList<>();
        for (TestKernel kernel : TestKernel.all()) {
            modes.add(mode(kernel.name(), kernel::kernel, 1, Promotion.deferred(), Waiting.block()));
            modes.add(mode(kernel.name(), kernel::kernel, SEVERAL, Promotion.eager(), Waiting.block()));
            modes.add(mode(kernel.name(), kernel::kernel, SEVERAL, Promotion.deferred(), Waiting.block()));
        }
        receiving().forEach(modes::add);
        for (int threads : new int[] {1, SEVERAL}) {
            modes.add(any("registered files restricted", threads, REGISTERED));
        }
        modes.add(any("growing", 1, GROWING));
        modes.add(mode(
                "before 6.13", () -> withoutMessages(TestKernel.any()), SEVERAL, Promotion.eager(), Waiting.block()));
        modes.add(mode(
                "any kernel",
                TestKernel::any,
                1,
                Promotion.deferred(),
                Waiting.spinThenBlock(Duration.ofNanos(50_000))));
        return modes.stream();
    }

    /** Rings that differ from the default in receiving, and in nothing else. */
    static Stream<ReactorMode> receiving() {
        return Stream.of(1, SEVERAL)
                .flatMap(threads -> Stream.of(
                        any("incremental", threads, INCREMENTAL),
                        any("bundles", threads, BUNDLES),
                        any("unbundled", threads, UNBUNDLED)));
    }

    /** Each kind of ring and of promotion, and the other kernel with a shared ring; in a soak all. */
    static Stream<ReactorMode> pools() {
        return Modes.named(
                all(), "panama 1 owner", "panama 3 deferred\\S*", "before 6.13 3 eager", "jna 3 deferred\\S*");
    }

    /** The rings that differ most, and the other kernel with an owner ring; in a soak all. */
    static Stream<ReactorMode> differing() {
        return Modes.named(all(), "panama 1 owner", "registered files restricted 3 deferred\\S*", "jna 1 owner");
    }

    /** Two shards that share an address in every way, with a ring for each thread and with shared rings. */
    static Stream<ReactorMode> accepting() {
        return Stream.of(AcceptMode.values())
                .flatMap(accept -> Stream.of(1, SEVERAL)
                        .map(threads ->
                                any("any kernel", threads, RingOptions.DEFAULT).withShards(2, accept)));
    }

    /** Two rings of every kind, and of every kind of receiving. */
    static Stream<ReactorMode> moving() {
        return Stream.of(1, SEVERAL)
                .flatMap(threads -> Stream.of(
                        any("plain", threads, RingOptions.DEFAULT),
                        any("incremental", threads, INCREMENTAL),
                        any("bundles", threads, BUNDLES),
                        any("registered files restricted", threads, REGISTERED)))
                .map(mode -> mode.withShards(2, AcceptMode.DISPATCH));
    }

    /** A kernel of the test's own under two owner rings, and under a shared one. */
    static Stream<ReactorMode> over(Supplier<Kernel> kernel) {
        return Stream.of(
                mode("", kernel, 1, Promotion.deferred(), Waiting.block()).withShards(2, AcceptMode.DISPATCH),
                mode("", kernel, SEVERAL, Promotion.deferred(), Waiting.block()));
    }

    /** Without messages that need no ring, so that wake-ups come from a second ring. */
    private static Kernel withoutMessages(Kernel kernel) {
        return new ForwardingKernel(kernel) {
            @Override
            public int ioUringRegister(int fd, int opcode, long arg, int count) {
                return opcode == IoUring.IORING_REGISTER_SEND_MSG_RING
                        ? -Errno.EBADF
                        : next().ioUringRegister(fd, opcode, arg, count);
            }
        };
    }

    private static ReactorMode any(String name, int threads, RingOptions options) {
        return mode(name, TestKernel::any, threads, Promotion.deferred(), Waiting.block(), options);
    }

    /** Sends without a copy, whatever it costs on loopback: a kernel that tells, and one that does not. */
    static Stream<ReactorMode> zeroCopy() {
        RingOptions options = RingOptions.DEFAULT.withZeroCopyBytes(1).withRestricted(true);
        Supplier<Kernel> silent = () -> new SilentKernel(TestKernel.any());
        return Stream.of(
                any("told", 1, options),
                any("told", SEVERAL, options),
                mode("untold", silent, 1, Promotion.deferred(), Waiting.block(), options),
                mode("untold", silent, SEVERAL, Promotion.eager(), Waiting.block(), options));
    }

    private static ReactorMode mode(
            String kernelName, Supplier<Kernel> kernel, int threads, Promotion promotion, Waiting waiting) {
        return mode(kernelName, kernel, threads, promotion, waiting, RingOptions.DEFAULT);
    }

    static ReactorMode mode(
            String kernelName,
            Supplier<Kernel> kernel,
            int threads,
            Promotion promotion,
            Waiting waiting,
            RingOptions options) {
        String name = kernelName + " " + threads + " " + (threads > 1 ? promotion : "owner")
                + (waiting.spinNs() == 0 ? "" : " " + waiting);
        return new ReactorMode(
                name.strip(), provider(kernel, options), threads, promotion, Deactivation.CLAIM, waiting);
    }

    /** Asks for the kernel when it is wanted: where there is no such one, the tests with it are skipped and not all. */
    private static BackendProvider provider(Supplier<Kernel> kernel, RingOptions options) {
        return new BackendProvider() {
            @Override
            public String name() {
                return IoUringBackendProvider.NAME;
            }

            @Override
            public int rank() {
                return 0;
            }

            @Override
            public StreamBackend open(StreamSettings settings) throws IOException {
                return new IoUringBackendProvider(kernel.get(), options).open(settings);
            }
        };
    }
}

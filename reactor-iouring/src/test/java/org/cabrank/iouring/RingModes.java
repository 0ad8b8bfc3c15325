package org.cabrank.iouring;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.kernel.layout.IoUring;
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

/** The ways to build an io_uring reactor that the contract is run over. */
final class RingModes {
    /** An eighth of the buffers: to zero the memory of all takes most of the time in which a reactor starts. */
    private static final RingOptions PLAIN = RingOptions.DEFAULT.withReceiveBuffers(512, 4 << 10);

    /** Few buffers, of many pieces each. */
    private static final RingOptions INCREMENTAL =
            RingOptions.DEFAULT.withReceiveBuffers(8, 4 << 10).withIncremental(true);

    /** Small buffers, many for each receive. */
    private static final RingOptions BUNDLES = RingOptions.DEFAULT.withReceiveBuffers(64, 512);

    /** One buffer for each receive, as before Linux 6.10. */
    private static final RingOptions UNBUNDLED = PLAIN.withBundles(false);

    /** Queues that overflow, and few buffers. */
    private static final RingOptions SHORT =
            RingOptions.DEFAULT.withEntries(8, 32).withReceiveBuffers(8, 1 << 10);

    private RingModes() {}

    /** Every kernel with every kind of ring. */
    static Stream<ReactorMode> all() {
        List<ReactorMode> modes = new ArrayList<>();
        for (TestKernel kernel : TestKernel.all()) {
            modes.add(mode(kernel.name(), kernel::kernel, Waiting.block(), PLAIN));
        }
        receiving().forEach(modes::add);
        modes.add(mode("relieved", TestKernel::any, Waiting.block(), PLAIN, 3));
        modes.add(mode("before 6.13", () -> withoutMessages(TestKernel.any()), Waiting.block(), PLAIN));
        modes.add(mode("any kernel", TestKernel::any, Waiting.spinThenBlock(Duration.ofNanos(50_000)), PLAIN));
        return modes.stream();
    }

    /** Rings that differ from the default in receiving, and in nothing else. */
    static Stream<ReactorMode> receiving() {
        return Stream.of(any("incremental", INCREMENTAL), any("bundles", BUNDLES), any("unbundled", UNBUNDLED));
    }

    /** Each kernel once; in a soak all. */
    static Stream<ReactorMode> pools() {
        return Modes.named(all(), "panama owner", "jna owner", "relieved owner");
    }

    /** The default ring, and once the other kernel: for what stands above a ring. In a soak all. */
    static Stream<ReactorMode> services() {
        return Modes.named(all(), "panama owner", "jna owner");
    }

    /** The rings that differ most, and the other kernel; in a soak all. */
    static Stream<ReactorMode> differing() {
        return Modes.named(all(), "panama owner", "incremental owner", "jna owner");
    }

    /** The ring that differs most from that of other tests, and the other kernel; in a soak all. */
    static Stream<ReactorMode> kernels() {
        return Modes.named(all(), "incremental owner", "jna owner");
    }

    /** Two shards that share an address in every way. */
    static Stream<ReactorMode> accepting() {
        return Stream.of(AcceptMode.values())
                .map(accept -> any("any kernel", PLAIN).withShards(2, accept));
    }

    /** Two rings of every kind of receiving. */
    static Stream<ReactorMode> moving() {
        return Stream.of(any("plain", PLAIN), any("incremental", INCREMENTAL), any("bundles", BUNDLES))
                .map(mode -> mode.withShards(2, AcceptMode.DISPATCH));
    }

    /** Two rings with several threads each, whose handlers may block: 0 threads are as many as are needed. */
    static Stream<ReactorMode> relieved() {
        return Stream.of(
                        relieved("relieved 2", PLAIN, 2),
                        relieved("relieved 3", PLAIN, 3),
                        relieved("relieved 5", PLAIN, 5),
                        relieved("relieved 3 short of all", SHORT, 3),
                        relieved("relieved growing", PLAIN, 0))
                .map(mode -> mode.withShards(2, AcceptMode.DISPATCH));
    }

    private static ReactorMode relieved(String name, RingOptions options, int threads) {
        return mode(name, TestKernel::any, Waiting.block(), options, threads);
    }

    /** A ring over a kernel of the test's own. */
    static ReactorMode plain(Supplier<Kernel> kernel) {
        return mode("", kernel, Waiting.block(), PLAIN);
    }

    /**
     * A kernel of the test's own under two rings with all receive buffers: where these run out, received bytes take memory of the shard,
     * of which the tests of exhaustion give connections little.
     */
    static Stream<ReactorMode> over(Supplier<Kernel> kernel) {
        return Stream.of(mode("", kernel, Waiting.block(), RingOptions.DEFAULT).withShards(2, AcceptMode.DISPATCH));
    }

    /** Without messages that need no ring, so that wake-ups come by an eventfd. */
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

    private static ReactorMode any(String name, RingOptions options) {
        return mode(name, TestKernel::any, Waiting.block(), options);
    }

    private static ReactorMode mode(String kernelName, Supplier<Kernel> kernel, Waiting waiting, RingOptions options) {
        return mode(kernelName, kernel, waiting, options, 1);
    }

    private static ReactorMode mode(
            String kernelName, Supplier<Kernel> kernel, Waiting waiting, RingOptions options, int threads) {
        String name = kernelName + " owner" + (waiting.spinNs() == 0 ? "" : " " + waiting);
        return new ReactorMode(
                name.strip(), provider(kernel, options), threads, Promotion.deferred(), Deactivation.CLAIM, waiting);
    }

    /** Asks for the kernel when it is wanted: where there is no such one, or it lacks the option, the tests with it are skipped. */
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
                Kernel wanted = kernel.get();
                assumeTrue(!options.incremental() || hasIncremental(wanted), "Linux before 6.12");
                return new IoUringBackendProvider(wanted, options).open(settings);
            }
        };
    }

    private static boolean hasIncremental(Kernel kernel) throws IOException {
        Ring probe = Rings.openDisabled(kernel, Rings.SMALL);
        probe.close();
        return probe.features().incremental();
    }
}

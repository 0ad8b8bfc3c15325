package org.cabrank.iouring;

import java.util.function.Function;
import java.util.stream.Stream;
import org.cabrank.iouring.config.RingMode;
import org.cabrank.lf.Deactivation;
import org.cabrank.socket.contract.BoundConnectionContract;
import org.cabrank.socket.contract.ConcurrencyContract;
import org.cabrank.socket.contract.DatagramAllocationContract;
import org.cabrank.socket.contract.DatagramBatchContract;
import org.cabrank.socket.contract.DatagramCloseContract;
import org.cabrank.socket.contract.DatagramContract;
import org.cabrank.socket.contract.DatagramDetailsContract;
import org.cabrank.socket.contract.DatagramDrainContract;
import org.cabrank.socket.contract.DatagramErrorContract;
import org.cabrank.socket.contract.DatagramFaultContract;
import org.cabrank.socket.contract.DatagramModelContract;
import org.cabrank.socket.contract.DatagramNestedWaitContract;
import org.cabrank.socket.contract.DatagramNetworkContract;
import org.cabrank.socket.contract.DatagramOptionsContract;
import org.cabrank.socket.contract.DatagramQueueContract;
import org.cabrank.socket.contract.DatagramRefusalContract;
import org.cabrank.socket.contract.DatagramSendContract;
import org.cabrank.socket.contract.DatagramSourceContract;
import org.cabrank.socket.contract.DatagramSteeringContract;
import org.cabrank.socket.contract.HandleContract;
import org.cabrank.socket.contract.InotifyContract;
import org.cabrank.socket.contract.InotifyOverflowContract;
import org.cabrank.socket.contract.MessageQueueContract;
import org.cabrank.socket.contract.MulticastContract;
import org.cabrank.socket.contract.MulticastNetworkContract;
import org.cabrank.socket.contract.PipeContract;
import org.cabrank.socket.contract.PipeFaultContract;
import org.cabrank.socket.contract.ReadinessContract;
import org.cabrank.socket.contract.RegistrationContract;
import org.cabrank.socket.contract.SetKind;
import org.cabrank.socket.contract.SetMode;
import org.cabrank.socket.contract.SignalContract;
import org.cabrank.socket.contract.SourceNestedWaitContract;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.contract.Modes;
import org.junit.jupiter.api.Nested;

/** Holds sets over both kinds of rings to the contract of every reactor; where threads take turns, over shared ones alone. */
class RingDescriptorTest {
    private static final SetKind OWNER = new RingKind.Owner();
    private static final SetKind SHARED = new RingKind.Shared();

    private static Stream<SetMode> ofEachKind(Function<SetKind, Stream<SetMode>> modes) {
        return Stream.of(OWNER, SHARED).flatMap(modes);
    }

    @Nested
    class Handles extends HandleContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::ofEveryKernel);
        }
    }

    @Nested
    class Registrations extends RegistrationContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::ofEveryKernel);
        }
    }

    @Nested
    class Readiness extends ReadinessContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::ofEveryKernel);
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::ofEveryKernel);
        }
    }

    @Nested
    class Datagrams extends DatagramContract {
        static Stream<SetMode> modes() {
            return differing();
        }
    }

    /** Faults of system calls, which rings make for sockets that they poll. */
    @Nested
    class DatagramFaults extends DatagramFaultContract {
        static Stream<SetMode> modes() {
            return Stream.of(RingMode.values()).flatMap(mode -> SetMode.ofAnyKernel(new RingKind.WithBuffers(mode, 0)));
        }
    }

    @Nested
    class DatagramOptionsOfSockets extends DatagramOptionsContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::few).filter(mode -> mode.kernel() == TestKernel.anyTestKernel());
        }
    }

    @Nested
    class Multicast extends MulticastContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::few).filter(mode -> mode.kernel() == TestKernel.anyTestKernel());
        }
    }

    @Nested
    class MulticastOverANetwork extends MulticastNetworkContract {
        static Stream<SetMode> modes() {
            return ofThreads();
        }
    }

    @Nested
    class DatagramsOverANetwork extends DatagramNetworkContract {
        static Stream<SetMode> modes() {
            return ofThreads();
        }
    }

    @Nested
    class RefusedDatagramOptions extends DatagramRefusalContract {
        static Stream<SetMode> modes() {
            return SetMode.ofAnyKernel(OWNER).limit(1);
        }
    }

    @Nested
    class DatagramDetails extends DatagramDetailsContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::few).filter(mode -> mode.kernel() == TestKernel.anyTestKernel());
        }
    }

    @Nested
    class DatagramBatches extends DatagramBatchContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::few).filter(mode -> mode.kernel() == TestKernel.anyTestKernel());
        }
    }

    @Nested
    class DatagramQueues extends DatagramQueueContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::ofAnyKernel);
        }
    }

    @Nested
    class ClosedDatagrams extends DatagramCloseContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::ofAnyKernel);
        }
    }

    @Nested
    class SourcesThatWait extends SourceNestedWaitContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::ofAnyKernel);
        }
    }

    @Nested
    class SourcesOfAnswers extends DatagramSourceContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::few);
        }
    }

    @Nested
    class DatagramModel extends DatagramModelContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::ofAnyKernel);
        }
    }

    @Nested
    class DatagramsThatWait extends DatagramNestedWaitContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::ofAnyKernel);
        }
    }

    @Nested
    class DatagramDrains extends DatagramDrainContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::few).filter(mode -> mode.kernel() == TestKernel.anyTestKernel());
        }
    }

    @Nested
    class SentDatagrams extends DatagramSendContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::few).filter(mode -> mode.kernel() == TestKernel.anyTestKernel());
        }
    }

    @Nested
    class DatagramErrors extends DatagramErrorContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::few).filter(mode -> mode.kernel() == TestKernel.anyTestKernel());
        }
    }

    @Nested
    class SteeredDatagrams extends DatagramSteeringContract {
        static Stream<SetMode> modes() {
            return ofEachKind(SetMode::few).filter(mode -> mode.kernel() == TestKernel.anyTestKernel());
        }
    }

    @Nested
    class DatagramAllocations extends DatagramAllocationContract {
        static Stream<SetMode> modes() {
            return SetMode.ofAnyKernel(new RingKind.WithBuffers(RingMode.OWNER, 0))
                    .limit(1);
        }
    }

    @Nested
    class BoundConnections extends BoundConnectionContract {
        static Stream<Mode> modes() {
            return modesOf(SHARED);
        }
    }

    @Nested
    class Pipes extends PipeContract {
        static Stream<SetMode> modes() {
            return differing();
        }
    }

    @Nested
    class PipeFaults extends PipeFaultContract {
        static Stream<SetMode> modes() {
            return differing();
        }
    }

    @Nested
    class MessageQueues extends MessageQueueContract {
        static Stream<SetMode> modes() {
            return differing();
        }
    }

    @Nested
    class FileChanges extends InotifyContract {
        static Stream<SetMode> modes() {
            return differing();
        }
    }

    @Nested
    class FileChangesTooMany extends InotifyOverflowContract {
        static Stream<SetMode> modes() {
            return ofEachKind(kind -> SetMode.ofAnyKernel(kind).limit(1));
        }
    }

    @Nested
    class SignalsOfOwnerRings extends SignalContract {
        static Stream<SetMode> modes() {
            return ofMostThreadsAndAnyKernel(OWNER);
        }

        @Override
        protected SetKind kind() {
            return OWNER;
        }
    }

    @Nested
    class SignalsOfSharedRings extends SignalContract {
        static Stream<SetMode> modes() {
            return ofMostThreadsAndAnyKernel(SHARED);
        }

        @Override
        protected SetKind kind() {
            return SHARED;
        }
    }

    /** Modes for sources: one thread with a ring of its own, and several that share one; in a soak all. */
    private static Stream<SetMode> differing() {
        return ofEachKind(kind -> SetMode.differing(kind)
                .filter(mode -> Modes.isSoak() || mode.threads() > 1 == kind.isForSeveralThreads()));
    }

    /** Modes for what the network does: one thread with a ring, and several that share a ring. */
    private static Stream<SetMode> ofThreads() {
        return ofEachKind(SetMode::ofAnyKernel)
                .filter(mode -> mode.deactivation() == Deactivation.CLAIM
                        && mode.threads() > 1 == mode.kind().isForSeveralThreads());
    }

    private static Stream<SetMode> ofMostThreadsAndAnyKernel(SetKind kind) {
        return SetMode.ofMostThreads(kind).filter(mode -> mode.kernel() == TestKernel.anyTestKernel());
    }
}

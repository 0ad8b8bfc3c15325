package org.cabrank.epoll;

import java.util.stream.Stream;
import org.cabrank.lf.handle.Deactivation;
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
import org.cabrank.socket.contract.TimerContract;
import org.cabrank.stream.contract.Modes;
import org.junit.jupiter.api.Nested;

/** Holds sets over epoll to the contract of every reactor. */
class EpollDescriptorTest {
    private static final SetKind EPOLL = new EpollKind();

    @Nested
    class Handles extends HandleContract {
        static Stream<SetMode> modes() {
            return SetMode.ofAnyKernel(EPOLL);
        }
    }

    @Nested
    class Registrations extends RegistrationContract {
        static Stream<SetMode> modes() {
            return SetMode.ofAnyKernel(EPOLL);
        }
    }

    @Nested
    class Readiness extends ReadinessContract {
        static Stream<SetMode> modes() {
            return SetMode.ofAnyKernel(EPOLL);
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        static Stream<SetMode> modes() {
            return SetMode.ofAnyKernel(EPOLL);
        }
    }

    @Nested
    class Datagrams extends DatagramContract {
        static Stream<SetMode> modes() {
            return SetMode.differing(EPOLL);
        }
    }

    @Nested
    class DatagramFaults extends DatagramFaultContract {
        static Stream<SetMode> modes() {
            return SetMode.differing(EPOLL);
        }
    }

    @Nested
    class DatagramOptionsOfSockets extends DatagramOptionsContract {
        static Stream<SetMode> modes() {
            return SetMode.few(EPOLL);
        }
    }

    @Nested
    class Multicast extends MulticastContract {
        static Stream<SetMode> modes() {
            return SetMode.few(EPOLL);
        }
    }

    @Nested
    class MulticastOverANetwork extends MulticastNetworkContract {
        static Stream<SetMode> modes() {
            return SetMode.ofTheNetwork(EPOLL);
        }
    }

    @Nested
    class DatagramsOverANetwork extends DatagramNetworkContract {
        static Stream<SetMode> modes() {
            return SetMode.ofTheNetwork(EPOLL);
        }
    }

    @Nested
    class RefusedDatagramOptions extends DatagramRefusalContract {
        static Stream<SetMode> modes() {
            return SetMode.ofAnyKernel(EPOLL).limit(1);
        }
    }

    @Nested
    class DatagramDetails extends DatagramDetailsContract {
        static Stream<SetMode> modes() {
            return SetMode.few(EPOLL);
        }
    }

    @Nested
    class DatagramBatches extends DatagramBatchContract {
        static Stream<SetMode> modes() {
            return SetMode.few(EPOLL);
        }
    }

    @Nested
    class DatagramQueues extends DatagramQueueContract {
        static Stream<SetMode> modes() {
            return SetMode.differing(EPOLL);
        }
    }

    @Nested
    class ClosedDatagrams extends DatagramCloseContract {
        static Stream<SetMode> modes() {
            return SetMode.differing(EPOLL);
        }
    }

    @Nested
    class SourcesThatWait extends SourceNestedWaitContract {
        static Stream<SetMode> modes() {
            return SetMode.differing(EPOLL);
        }
    }

    @Nested
    class SourcesOfAnswers extends DatagramSourceContract {
        static Stream<SetMode> modes() {
            return SetMode.few(EPOLL);
        }
    }

    @Nested
    class DatagramModel extends DatagramModelContract {
        static Stream<SetMode> modes() {
            return SetMode.differing(EPOLL);
        }
    }

    @Nested
    class DatagramsThatWait extends DatagramNestedWaitContract {
        static Stream<SetMode> modes() {
            return SetMode.differing(EPOLL);
        }
    }

    @Nested
    class DatagramDrains extends DatagramDrainContract {
        static Stream<SetMode> modes() {
            return SetMode.few(EPOLL);
        }
    }

    @Nested
    class SentDatagrams extends DatagramSendContract {
        static Stream<SetMode> modes() {
            return SetMode.few(EPOLL);
        }
    }

    @Nested
    class DatagramErrors extends DatagramErrorContract {
        static Stream<SetMode> modes() {
            return SetMode.few(EPOLL);
        }
    }

    @Nested
    class SteeredDatagrams extends DatagramSteeringContract {
        static Stream<SetMode> modes() {
            return SetMode.few(EPOLL);
        }
    }

    @Nested
    class DatagramAllocations extends DatagramAllocationContract {
        static Stream<SetMode> modes() {
            return SetMode.ofAnyKernel(EPOLL)
                    .filter(mode -> mode.threads() == 1)
                    .limit(1);
        }
    }

    @Nested
    class BoundConnections extends BoundConnectionContract {
        static Stream<Mode> modes() {
            return modesOf(EPOLL);
        }
    }

    @Nested
    class Pipes extends PipeContract {
        static Stream<SetMode> modes() {
            return SetMode.differing(EPOLL);
        }
    }

    @Nested
    class PipeFaults extends PipeFaultContract {
        static Stream<SetMode> modes() {
            return SetMode.differing(EPOLL);
        }
    }

    @Nested
    class MessageQueues extends MessageQueueContract {
        static Stream<SetMode> modes() {
            return SetMode.differing(EPOLL);
        }
    }

    @Nested
    class KernelTimers extends TimerContract {
        static Stream<SetMode> modes() {
            return SetMode.differing(EPOLL);
        }
    }

    @Nested
    class FileChanges extends InotifyContract {
        static Stream<SetMode> modes() {
            return SetMode.differing(EPOLL);
        }
    }

    @Nested
    class FileChangesTooMany extends InotifyOverflowContract {
        static Stream<SetMode> modes() {
            return SetMode.ofAnyKernel(EPOLL).limit(1);
        }
    }

    @Nested
    class Signals extends SignalContract {
        static Stream<SetMode> modes() {
            return SetMode.ofMostThreads(EPOLL)
                    .filter(mode -> Modes.isSoak() || mode.deactivation() == Deactivation.CLAIM);
        }

        @Override
        protected SetKind kind() {
            return EPOLL;
        }
    }
}

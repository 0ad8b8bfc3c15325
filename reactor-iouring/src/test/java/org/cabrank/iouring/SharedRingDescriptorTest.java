package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.descriptor.contract.BoundConnectionContract;
import org.cabrank.descriptor.contract.ConcurrencyContract;
import org.cabrank.descriptor.contract.DatagramContract;
import org.cabrank.descriptor.contract.HandleContract;
import org.cabrank.descriptor.contract.InotifyContract;
import org.cabrank.descriptor.contract.InotifyOverflowContract;
import org.cabrank.descriptor.contract.MessageQueueContract;
import org.cabrank.descriptor.contract.PipeContract;
import org.cabrank.descriptor.contract.PipeFaultContract;
import org.cabrank.descriptor.contract.ReadinessContract;
import org.cabrank.descriptor.contract.RegistrationContract;
import org.cabrank.descriptor.contract.SetKind;
import org.cabrank.descriptor.contract.SetMode;
import org.cabrank.descriptor.contract.SignalContract;
import org.cabrank.descriptor.contract.TestKernel;
import org.junit.jupiter.api.Nested;

/** Holds sets over shared rings to the contract of every reactor. */
class SharedRingDescriptorTest {
    private static final SetKind RING = new SharedRingKind();

    @Nested
    class Handles extends HandleContract {
        static Stream<SetMode> modes() {
            return SetMode.ofEveryKernel(RING);
        }
    }

    @Nested
    class Registrations extends RegistrationContract {
        static Stream<SetMode> modes() {
            return SetMode.ofEveryKernel(RING);
        }
    }

    @Nested
    class Readiness extends ReadinessContract {
        static Stream<SetMode> modes() {
            return SetMode.ofEveryKernel(RING);
        }
    }

    @Nested
    class Concurrency extends ConcurrencyContract {
        static Stream<SetMode> modes() {
            return SetMode.ofEveryKernel(RING);
        }
    }

    @Nested
    class Datagrams extends DatagramContract {
        static Stream<SetMode> modes() {
            return SetMode.ofEveryKernel(RING);
        }
    }

    @Nested
    class BoundConnections extends BoundConnectionContract {
        static Stream<Mode> modes() {
            return modesOf(RING);
        }
    }

    @Nested
    class Pipes extends PipeContract {
        static Stream<SetMode> modes() {
            return SetMode.ofAnyKernel(RING);
        }
    }

    @Nested
    class PipeFaults extends PipeFaultContract {
        static Stream<SetMode> modes() {
            return SetMode.ofAnyKernel(RING);
        }
    }

    @Nested
    class MessageQueues extends MessageQueueContract {
        static Stream<SetMode> modes() {
            return SetMode.ofAnyKernel(RING);
        }
    }

    @Nested
    class FileChanges extends InotifyContract {
        static Stream<SetMode> modes() {
            return SetMode.ofAnyKernel(RING);
        }
    }

    @Nested
    class FileChangesTooMany extends InotifyOverflowContract {
        static Stream<SetMode> modes() {
            return SetMode.ofAnyKernel(RING).limit(1);
        }
    }

    @Nested
    class Signals extends SignalContract {
        static Stream<SetMode> modes() {
            return SetMode.ofMostThreads(RING).filter(mode -> mode.kernel() == TestKernel.anyTestKernel());
        }

        @Override
        protected SetKind kind() {
            return RING;
        }
    }
}

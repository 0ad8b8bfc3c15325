package org.cabrank.socket.contract;

import org.cabrank.stream.contract.BlockingContract;
import org.cabrank.stream.contract.DeadlineContract;
import org.cabrank.stream.contract.FileContract;
import org.cabrank.stream.contract.HandlerFailureContract;
import org.cabrank.stream.contract.OffloadEndContract;
import org.cabrank.stream.contract.OffloadFailureContract;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.ReplacedHandlerContract;
import org.cabrank.stream.contract.ScheduleContract;
import org.cabrank.stream.contract.SendFileContract;
import org.cabrank.stream.contract.WriteCompletionContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/**
 * The parts of the contract of every backend about what stands above the bytes: files, completions, blocking views, time limits, offloaded
 * work. They take longer than other contracts, and options of a backend make little difference, so the modes that differ most are enough.
 * Outside a soak an older JDK runs the parts about files: the other parts make the same calls as other contracts.
 */
public abstract class ServiceContracts extends StreamContracts {
    @Nested
    @Tag("newest")
    class Blocking extends BlockingContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    @Tag("newest")
    class Deadlines extends DeadlineContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Files extends FileContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    @Tag("newest")
    class HandlerFailures extends HandlerFailureContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    @Tag("newest")
    class OffloadEnds extends OffloadEndContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    @Tag("newest")
    class OffloadFailures extends OffloadFailureContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    @Tag("newest")
    class ReplacedHandlers extends ReplacedHandlerContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    @Tag("newest")
    class Schedules extends ScheduleContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class SentFiles extends SendFileContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    @Tag("newest")
    class WriteCompletions extends WriteCompletionContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }
}

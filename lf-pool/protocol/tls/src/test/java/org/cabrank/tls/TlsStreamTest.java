package org.cabrank.tls;

import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.stream.Stream;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Waiting;
import org.cabrank.socket.contract.StreamContracts;
import org.cabrank.stream.BackendProvider;
import org.cabrank.stream.contract.BufferContract;
import org.cabrank.stream.contract.CallbackContract;
import org.cabrank.stream.contract.ClosingContract;
import org.cabrank.stream.contract.DeadlineContract;
import org.cabrank.stream.contract.DrainContract;
import org.cabrank.stream.contract.EchoContract;
import org.cabrank.stream.contract.HandlerFailureContract;
import org.cabrank.stream.contract.HeldContract;
import org.cabrank.stream.contract.LeadershipContract;
import org.cabrank.stream.contract.LongAnswerContract;
import org.cabrank.stream.contract.OffloadContract;
import org.cabrank.stream.contract.OffloadEndContract;
import org.cabrank.stream.contract.OffloadFailureContract;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.ReadingContract;
import org.cabrank.stream.contract.ScheduleContract;
import org.cabrank.stream.contract.WaitingContract;
import org.cabrank.stream.contract.WatermarkContract;
import org.cabrank.stream.contract.WritingContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** Holds streams through TLS to the contract of streams, over each backend. */
@ExtendWith(NotThroughTls.class)
class TlsStreamTest extends StreamContracts {
    /** The modes that differ most; all of them in a soak. */
    static Stream<ReactorMode> modes() throws GeneralSecurityException {
        TlsLayer layer = new TlsLayer();
        boolean soak = Integer.getInteger("cabrank.soak.seconds") != null;
        return BackendProvider.installed().stream()
                .flatMap(backend -> Stream.of(
                                mode(backend, 1, Promotion.eager()),
                                mode(backend, 3, Promotion.deferred(Duration.ofMillis(2))),
                                mode(backend, 3, Promotion.eager()))
                        .filter(mode ->
                                soak || mode.threads() > 1 == backend.name().equals("epoll"))
                        .filter(mode -> soak || !(mode.threads() > 1 && mode.promotion() instanceof Promotion.Eager)))
                .map(mode -> mode.withLayer("TLS", layer));
    }

    private static ReactorMode mode(BackendProvider backend, int threads, Promotion promotion) {
        String name = backend.name() + " " + threads + " " + promotion.label();
        return new ReactorMode(name, backend, threads, promotion, Deactivation.CLAIM, Waiting.block());
    }

    @Nested
    class Echo extends EchoContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class LongAnswers extends LongAnswerContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Buffers extends BufferContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Callbacks extends CallbackContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class HandlerFailures extends HandlerFailureContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Reading extends ReadingContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Writing extends WritingContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Schedules extends ScheduleContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Watermarks extends WatermarkContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Closing extends ClosingContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Deadlines extends DeadlineContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Drain extends DrainContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Held extends HeldContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Leadership extends LeadershipContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Offload extends OffloadContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class OffloadEnds extends OffloadEndContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class OffloadFailures extends OffloadFailureContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Waits extends WaitingContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }
}

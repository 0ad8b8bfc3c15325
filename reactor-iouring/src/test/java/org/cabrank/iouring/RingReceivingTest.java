package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.socket.contract.StreamContracts;
import org.cabrank.stream.contract.BufferContract;
import org.cabrank.stream.contract.ClosingContract;
import org.cabrank.stream.contract.EchoContract;
import org.cabrank.stream.contract.HeldContract;
import org.cabrank.stream.contract.LongAnswerContract;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.ReadingContract;
import org.cabrank.stream.contract.WatermarkContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** Holds every way in which a ring receives to the parts of the contract that concern received bytes. */
@Tag("newest") // on an older JDK in a soak only
class RingReceivingTest extends StreamContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(RingModes.receiving());
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
    class Reading extends ReadingContract {
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
}

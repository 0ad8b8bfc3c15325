package org.cabrank.socket.contract;

import org.cabrank.stream.contract.BufferContract;
import org.cabrank.stream.contract.HeldContract;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.ReadingContract;
import org.cabrank.stream.contract.WatermarkContract;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;

/** The parts of the contract that the way of receiving could break. */
public abstract class ReceivingContracts extends ByteStreamContracts {
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
    class Watermarks extends WatermarkContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    @Tag("newest")
    class Held extends HeldContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }
}

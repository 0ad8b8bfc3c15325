package org.cabrank.socket.contract;

import org.cabrank.stream.contract.MovingContract;
import org.cabrank.stream.contract.MovingStress;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Nested;

/** Connections that go from shard to shard: for reactors that have several. */
public abstract class MovingContracts extends StreamContracts {
    @Nested
    class Moving extends MovingContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class Stress extends MovingStress {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }
}

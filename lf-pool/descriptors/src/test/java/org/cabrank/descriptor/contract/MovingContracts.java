package org.cabrank.descriptor.contract;

import org.cabrank.lf.stream.contract.MovingContract;
import org.cabrank.lf.stream.contract.MovingStress;
import org.cabrank.lf.stream.contract.ReactorMode;
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

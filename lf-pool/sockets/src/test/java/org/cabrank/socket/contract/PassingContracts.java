package org.cabrank.socket.contract;

import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Nested;

/** The part of the contract about descriptors that connections pass. */
public abstract class PassingContracts extends StreamContracts {
    @Nested
    class DescriptorPassing extends DescriptorPassingStreamContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }

    @Nested
    class DescriptorLimits extends DescriptorLimitContract {
        @Override
        protected ReactorMode mode() {
            return mode;
        }
    }
}

package org.cabrank.netty;

import org.junit.jupiter.api.extension.ExtendWith;

/** Netty's suite over io_uring. */
@ExtendWith(NotOverEachBackend.class)
class IoUringNettySuiteTest extends NettySuite {
    private static final SuitePairs PAIRS = new SuitePairs("iouring");

    @Override
    SuitePairs pairs() {
        return PAIRS;
    }
}

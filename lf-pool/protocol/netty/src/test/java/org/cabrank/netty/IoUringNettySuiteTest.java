package org.cabrank.netty;

/** Netty's suite over io_uring. */
class IoUringNettySuiteTest extends NettySuite {
    private static final SuitePairs PAIRS = new SuitePairs("iouring");

    @Override
    SuitePairs pairs() {
        return PAIRS;
    }
}

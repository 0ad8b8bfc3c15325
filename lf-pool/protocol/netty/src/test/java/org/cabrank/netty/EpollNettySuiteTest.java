package org.cabrank.netty;

/** Netty's suite over epoll. */
class EpollNettySuiteTest extends NettySuite {
    private static final SuitePairs PAIRS = new SuitePairs("epoll");

    @Override
    SuitePairs pairs() {
        return PAIRS;
    }
}

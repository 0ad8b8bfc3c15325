package org.cabrank.lf;

class ByOneshotStressTest extends PoolStressTest {
    ByOneshotStressTest() {
        super(Deactivation.ONESHOT);
    }
}

package org.cabrank.lf;

class OneshotPoolStressTest extends PoolStressTest {
    OneshotPoolStressTest() {
        super(Deactivation.ONESHOT);
    }
}

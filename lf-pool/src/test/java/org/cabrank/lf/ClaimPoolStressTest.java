package org.cabrank.lf;

class ClaimPoolStressTest extends PoolStressTest {
    ClaimPoolStressTest() {
        super(Deactivation.CLAIM);
    }
}

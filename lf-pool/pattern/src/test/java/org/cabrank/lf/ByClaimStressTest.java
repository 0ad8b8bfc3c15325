package org.cabrank.lf;

class ByClaimStressTest extends PoolStressTest {
    ByClaimStressTest() {
        super(Deactivation.CLAIM);
    }
}

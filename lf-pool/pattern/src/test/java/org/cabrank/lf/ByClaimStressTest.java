package org.cabrank.lf;

import org.cabrank.lf.handle.Deactivation;
import org.junit.jupiter.api.Tag;

@Tag("newest") // on an older JDK in a soak only
class ByClaimStressTest extends PoolStressTest {
    ByClaimStressTest() {
        super(Deactivation.CLAIM);
    }
}

package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.Resources;
import org.junit.jupiter.api.Test;

final class DescriptorsTest {

    @Test
    void asManyAsTheLimitLeavesRoomForAreAllowed() throws KernelUnavailableException {
        Descriptors.check(8_256, 8_256, 8_000);
        Descriptors.check(Resources.RLIM_INFINITY, Resources.RLIM_INFINITY, 65_536);
        Descriptors.check(Kernels.system(), 1);
    }

    @Test
    void oneMoreIsRefusedWithTheRemedy() {
        Failure refused = assertThrows(Failure.class, () -> Descriptors.check(8_255, 8_255, 8_000));
        assertEquals(
                "--connections 8000: each process would need 8256 descriptors and may have 8255 (the hard limit is 8255:"
                        + " as root ulimit -n 8256, in a container --ulimit nofile=8256, under systemd"
                        + " LimitNOFILE=8256), or ask for fewer connections",
                refused.getMessage());
    }

    @Test
    void belowTheHardLimitTheShellCanRaiseIt() {
        Failure refused = assertThrows(Failure.class, () -> Descriptors.check(1_024, 1 << 20, 8_000));
        assertEquals(
                "--connections 8000: each process would need 8256 descriptors and may have 1024 (ulimit -n 8256), or ask"
                        + " for fewer connections",
                refused.getMessage());
    }
}

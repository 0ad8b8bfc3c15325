package org.cabrank.iouring.ring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.TimeSpec;
import org.cabrank.kernel.layout.IoUringGeteventsArg;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;

class WaitArgumentTest {
    private final Kernel kernel = TestKernel.any();
    private final WaitArgument argument = new WaitArgument(kernel);

    private void assertWritten(long minWaitNs, long timeoutNs, int leastUs, long timeoutS, long restNs) {
        ByteBuffer written = kernel.viewOf(argument.set(minWaitNs, timeoutNs), WaitArgument.SIZE_BYTES);
        assertEquals(leastUs, written.getInt(IoUringGeteventsArg.MIN_WAIT_USEC_OFFSET));
        assertEquals(0, written.getLong(IoUringGeteventsArg.SIGMASK_OFFSET));
        ByteBuffer timeout = kernel.viewOf(written.getLong(IoUringGeteventsArg.TS_OFFSET), TimeSpec.SIZE_BYTES);
        assertEquals(timeoutS, timeout.getLong(TimeSpec.SEC_OFFSET));
        assertEquals(restNs, timeout.getLong(TimeSpec.NSEC_OFFSET));
    }

    @Test
    void timesAreWrittenInTheKernelsUnitsAndRoundedUp() {
        assertWritten(0, 1, 0, 0, 1);
        assertWritten(1, 2_000_000_005L, 1, 2, 5);
        assertWritten(1_000, 999_999_999, 1, 0, 999_999_999);
        assertWritten(1_001, 1_000_000_000, 2, 1, 0);
    }

    /** A timer that is due before must not wait for the batch. */
    @Test
    void theLeastWaitIsNotLongerThanTheWhole() {
        assertWritten(3_000_000, 1_000_000, 1_000, 0, 1_000_000);
    }

    @Test
    void forEverIsSoLongThatTheKernelsClockCanBeAddedToIt() {
        long centuryS = 36_500L * 24 * 3_600;
        assertWritten(2_000, HandleSet.FOREVER, 2, centuryS, 0);
        long endNs = Math.addExact(centuryS * 1_000_000_000, System.nanoTime());
        assertTrue(endNs > 0);
    }
}

package org.cabrank.bench.handler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

final class BusyWorkTest {

    /** Not shorter, however busy the machine is, but for a CPU that has become faster. Longer is the machine's affair. */
    @Test
    void workTakesAtLeastTheTimeItWasAskedToTake() {
        BusyWork work = BusyWork.lasting(2_000_000);
        work.perform();
        long cpuBefore = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        for (int i = 0; i < 50; i++) {
            work.perform();
        }
        long cpuNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpuBefore;
        assertTrue(cpuNs > 50 * 2_000_000 * 0.7, cpuNs + " ns of CPU time for 50 times 2 ms");
    }

    @Test
    void stepsAreInProportionToTheTime() {
        double ratio = (double) BusyWork.lasting(10_000_000).steps()
                / BusyWork.lasting(1_000_000).steps();
        assertEquals(10, ratio, 0.01);
    }

    @Test
    void noWorkHasNoSteps() {
        assertEquals(0, BusyWork.lasting(0).steps());
    }

    @Test
    void timesOutOfRangeAreRefusedWithAMessage() {
        var negative = assertThrows(IllegalArgumentException.class, () -> BusyWork.lasting(-1_000));
        assertTrue(negative.getMessage().contains("-1us"), negative.getMessage());
        assertThrows(IllegalArgumentException.class, () -> BusyWork.lasting(BusyWork.TIME_MAX_NS + 1));
    }

    @Test
    void theShortestBatchCounts() {
        int[] call = {0};
        // Disturbed nine times out of ten.
        Calibration calibration = Calibration.measure(steps -> call[0]++ % 10 == 7 ? 5L * steps : 9L * steps);
        assertEquals(5, calibration.nsPerStep(), 1e-9);
        assertTrue(calibration.disagreement() <= Calibration.AGREEMENT);
    }

    @Test
    void codeThatBecomesFasterIsMeasuredAgain() {
        int[] call = {0};
        // Compiled in the middle of the second measurement.
        Calibration calibration = Calibration.measure(steps -> call[0]++ < 600 ? 100L * steps : 3L * steps);
        assertEquals(3, calibration.nsPerStep(), 1e-9);
        assertTrue(calibration.disagreement() <= Calibration.AGREEMENT);
    }

    @Test
    void measurementsThatNeverAgreeAreCalledUnstable() {
        long[] factor = {1_000_000};
        Calibration calibration = Calibration.measure(steps -> factor[0] = factor[0] * 9_999 / 10_000);
        assertTrue(calibration.disagreement() > Calibration.AGREEMENT);
    }
}

package org.cabrank.bench.report.statistics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class OutliersTest {

    @Test
    void theOneFarFromTheOthersIsMarkedInBothDirections() {
        assertEquals(
                List.of(false, false, true, false, false, false),
                Outliers.mark(List.of(100.0, 102.0, 55.0, 99.0, 101.0, 98.0)));
        assertEquals(
                List.of(true, false, false, false, false, false),
                Outliers.mark(List.of(180.0, 102.0, 100.0, 99.0, 101.0, 98.0)));
    }

    @Test
    void whereAllSpreadNobodyIsMarked() {
        assertEquals(
                List.of(false, false, false, false, false), Outliers.mark(List.of(50.0, 75.0, 100.0, 130.0, 170.0)));
    }

    @Test
    void whoeverAgreesToTwoPercentIsNoOutlierHoweverWellTheOthersAgree() {
        assertEquals(
                List.of(false, false, false, false, false, true),
                Outliers.mark(List.of(100.0, 100.0, 100.0, 100.0, 101.9, 102.1)));
    }

    @Test
    void ofFourNobodyCanTellWhoIsTheOddOne() {
        assertEquals(List.of(false, false, false, false), Outliers.mark(List.of(1.0, 1.0, 1.0, 9.0)));
    }
}

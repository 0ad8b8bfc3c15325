package org.cabrank.affinity.limits;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.cabrank.affinity.CpuList;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuotaCpusTest {
    /** One more busy thread than this would have all of them stopped until the period ends. */
    @ParameterizedTest
    @CsvSource({
        "0.1, 1",
        "0.99, 1",
        "1, 1",
        "1.5, 1",
        "1.94, 1",
        "1.95, 2",
        "1.99, 2",
        "2, 2",
        "2.9, 2",
        "63.96, 64",
        "Infinity, 2147483647"
    })
    void quotaIsRoundedDownUnlessItIsNearlyWhole(double quota, int cpus) {
        CpuList none = CpuList.of();
        assertEquals(cpus, new ProcessLimits(none, none, none, quota, 0, none, none, none, List.of()).quotaCpus());
    }
}

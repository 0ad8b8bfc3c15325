package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class WeighingTest {

    @Test
    void aJvmIsConfiguredToKeepABookOfItsMemoryUnlessTheUserSaysOtherwise() {
        assertEquals(List.of("-XX:NativeMemoryTracking=summary"), Weighing.flagsBeside(List.of("-Xmx1g")));
        for (String own : List.of("off", "detail")) {
            assertEquals(List.of(), Weighing.flagsBeside(List.of("-Xmx1g", "-XX:NativeMemoryTracking=" + own)));
        }
    }
}

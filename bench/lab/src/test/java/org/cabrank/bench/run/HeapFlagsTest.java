package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class HeapFlagsTest {

    @Test
    void everyServerHasTheSameHeapAndACollectorForItsCpus() {
        assertEquals(
                List.of("-Xms512m", "-Xmx512m", "-XX:+UseSerialGC"),
                HeapFlags.beside(List.of("-Xlog:disable", "-XX:+UseCompressedOops"), 1));
        assertEquals(List.of("-Xms512m", "-Xmx512m", "-XX:+UseParallelGC"), HeapFlags.beside(List.of(), 2));
    }

    @Test
    void explicitHeapSizeOfTheUserWins() {
        assertEquals(List.of("-XX:+UseSerialGC"), HeapFlags.beside(List.of("-Xmx4g"), 1));
        assertEquals(List.of("-XX:+UseSerialGC"), HeapFlags.beside(List.of("-XX:MaxRAMPercentage=50"), 1));
        assertEquals(List.of("-Xms512m", "-Xmx512m"), HeapFlags.beside(List.of("-XX:+UseZGC"), 1));
        assertEquals(List.of(), HeapFlags.beside(List.of("-Xms1g", "-XX:+UseG1GC"), 4));
    }
}

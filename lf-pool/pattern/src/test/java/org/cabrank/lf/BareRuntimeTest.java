package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Pools in JVMs of their own, which lack JMX or the flight recorder, or have them and are not asked for them. */
@Timeout(300)
class BareRuntimeTest {
    private static final String LOADED = "-Xlog:class+load";
    private static final String BEAN = "PlatformBean";

    private static boolean hasLoaded(List<String> lines, String part) {
        return lines.stream().anyMatch(line -> line.contains(part));
    }

    @Test
    void runtimeWithoutJmxAndFlightRecorderRunsPoolsAndSaysWhyItDoesNotShowThem() throws Exception {
        List<String> said = BareProcess.run(List.of("--limit-modules", "java.base"), "jmx");
        assertEquals("processed 1000", said.get(0));
        assertTrue(
                said.get(1).startsWith("refused: JMX needs the module java.management, which this runtime lacks:"),
                said::toString);
        assertEquals(2, said.size());
    }

    @Test
    void nothingButTheListenerIsLoadedUnlessItIsAskedFor(@TempDir Path directory) throws Exception {
        List<String> quiet = BareProcess.run(List.of(LOADED));
        assertTrue(hasLoaded(quiet, "org.cabrank.lf.jfr.FlightRecording$Listener"));
        assertFalse(quiet.stream().anyMatch(line -> line.contains("org.cabrank.lf.jfr.") && line.contains("Event")));
        assertFalse(hasLoaded(quiet, BEAN));
        Path file = directory.resolve("started.jfr");
        List<String> recorded = BareProcess.run(List.of(LOADED, "-XX:StartFlightRecording:filename=" + file));
        assertTrue(hasLoaded(recorded, "org.cabrank.lf.jfr.EventTypes$Promotion"));
        assertNotEquals(
                0,
                RecordingFile.readAllEvents(file).stream()
                        .filter(event -> event.getEventType().getName().equals(FlightRecordingTest.PROMOTION))
                        .count());
    }

    @Test
    void poolIsShownWhereOnlyJmxIsAdded() throws Exception {
        List<String> said = BareProcess.run(List.of(LOADED, "--limit-modules", "java.base,java.management"), "jmx");
        assertTrue(said.contains("shown as org.cabrank:type=Pool,name=real"));
        assertTrue(hasLoaded(said, BEAN));
    }
}

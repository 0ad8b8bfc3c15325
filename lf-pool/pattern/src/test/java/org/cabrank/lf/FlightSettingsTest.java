package org.cabrank.lf;

import static org.cabrank.lf.PoolFixture.GAP_NS;
import static org.cabrank.lf.PoolFixture.LOOK_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import jdk.jfr.Configuration;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A recording with the settings of {@code scripts/observe/cabrank.jfc}. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class FlightSettingsTest {
    private static final Path SETTINGS = Path.of("").toAbsolutePath().resolve("../../scripts/observe/cabrank.jfc");
    private static final String OURS = "org.cabrank.";
    private static final String ENABLED = "#enabled";

    @TempDir
    Path directory;

    private Configuration settings;
    private Recording recording;
    private PoolFixture fixture;

    @BeforeEach
    void start() throws Exception {
        settings = Configuration.create(SETTINGS);
        recording = new Recording(settings);
        recording.start();
        fixture = PoolFixture.deferred(3);
        fixture.join("a", "b");
    }

    @AfterEach
    void close() {
        fixture.close();
        recording.close();
    }

    private List<RecordedEvent> recorded(String name) throws Exception {
        Path file = directory.resolve("events.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(OURS + name))
                .toList();
    }

    /** Names of the events that the settings switch on or off. */
    private Set<String> named() {
        return settings.getSettings().keySet().stream()
                .filter(key -> key.endsWith(ENABLED))
                .map(key -> key.substring(0, key.length() - ENABLED.length()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void takeoverAndLateWatcherAreRecorded() throws Exception {
        fixture.time.computes("a");
        fixture.report(fixture.slow("slow", fixture.gate()));
        fixture.advance(LOOK_NS);
        fixture.advance(5 * GAP_NS);
        assertEquals(1, recorded("Takeover").size());
        assertEquals(1, recorded("DetectionGap").size());
    }

    @Test
    void slowHandlersAreRecordedAndQuickOnesAreNot() throws Exception {
        Duration threshold = Duration.ofMillis(10);
        assertEquals("10 ms", settings.getSettings().get(OURS + "SlowHandler#threshold"));
        fixture.report(fixture.quick("quick"));
        fixture.report(fixture.set.register("slow", (handle, ready) -> {
            long beginNs = System.nanoTime();
            while (System.nanoTime() - beginNs < TimeUnit.MILLISECONDS.toNanos(15)) {
                Thread.onSpinWait();
            }
        }));
        List<RecordedEvent> slow = recorded("SlowHandler");
        assertTrue(slow.stream().anyMatch(event -> event.getString("handle").equals("slow")), slow::toString);
        assertTrue(slow.stream().allMatch(event -> event.getDuration().compareTo(threshold) >= 0), slow::toString);
    }

    @Test
    void everyEventOfOursIsNamedAndEveryNamedEventExists() {
        Set<String> existing = FlightRecorder.getFlightRecorder().getEventTypes().stream()
                .map(EventType::getName)
                .collect(Collectors.toSet());
        Set<String> unknown = named();
        unknown.removeAll(existing);
        assertEquals(Set.of(), unknown);
        Set<String> forgotten = new TreeSet<>(existing);
        forgotten.removeIf(name -> !name.startsWith(OURS));
        assertEquals(6, forgotten.size(), forgotten.toString());
        forgotten.removeAll(named());
        assertEquals(Set.of(), forgotten);
    }
}

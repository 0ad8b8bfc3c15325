package org.cabrank.lf;

import static org.cabrank.lf.PoolFixture.GAP_NS;
import static org.cabrank.lf.PoolFixture.LOOK_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.cabrank.lf.handle.Ready;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Events of a pool in a flight recording. */
@Timeout(300)
@Tag("newest") // on an older JDK in a soak only
class FlightRecordingTest {
    static final String PROMOTION = "org.cabrank.Promotion";
    private static final String EAGER_PROMOTION = "org.cabrank.EagerPromotion";
    private static final String TAKEOVER = "org.cabrank.Takeover";
    private static final String DETECTION_GAP = "org.cabrank.DetectionGap";
    private static final String HARVEST = "org.cabrank.Harvest";
    private static final String SLOW_HANDLER = "org.cabrank.SlowHandler";

    @TempDir
    Path directory;

    private final Recording recording = new Recording();
    private PoolFixture fixture;

    private void pool(PoolFixture made) {
        fixture = made;
    }

    @AfterEach
    void close() {
        recording.close();
        if (fixture != null) {
            fixture.close();
        }
    }

    /** Returns the events of this type that have been recorded so far, in the order of time. */
    private List<RecordedEvent> recorded(String name) throws IOException {
        Path file = Files.createTempFile(directory, "events", ".jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .sorted((one, other) -> one.getStartTime().compareTo(other.getStartTime()))
                .toList();
    }

    private RecordedEvent only(String name) throws IOException {
        List<RecordedEvent> events = recorded(name);
        assertEquals(1, events.size(), events::toString);
        return events.get(0);
    }

    private static String thread(RecordedEvent event) {
        return event.getThread().getJavaName();
    }

    private FakeHandle promoting() {
        return fixture.set.register("promoting", (handle, ready) -> fixture.pool.promoteNewLeader());
    }

    @Test
    void promotionByAHandlerIsRecordedWithItsStack() throws Exception {
        pool(PoolFixture.deferred(3));
        recording.start();
        fixture.join("a", "b");
        fixture.report(promoting());
        RecordedEvent event = only(PROMOTION);
        assertEquals("test", event.getString("pool"));
        assertEquals(0, event.getInt("handleSet"));
        assertEquals("handler", event.getString("kind"));
        assertEquals("a", thread(event));
        assertEquals("b", event.getThread("promoted").getJavaName());
        assertTrue(event.getStackTrace().getFrames().stream()
                .anyMatch(frame -> frame.getMethod().getName().equals("promoteNewLeader")));
    }

    @Test
    void promotionOfNobodyIsRecordedToo() throws Exception {
        pool(PoolFixture.deferred(2));
        recording.start();
        fixture.join("a");
        fixture.report(promoting());
        assertNull(only(PROMOTION).getThread("promoted"));
    }

    @Test
    void leaderThatLeavesIsRecordedWithItsSuccessor() throws Exception {
        pool(PoolFixture.deferred(3));
        recording.start();
        fixture.join("a", Duration.ofMillis(1));
        fixture.join("b");
        fixture.advance(Duration.ofMillis(2).toNanos());
        fixture.awaitLeft("a");
        RecordedEvent event = only(PROMOTION);
        assertEquals("leaving", event.getString("kind"));
        assertEquals("a", thread(event));
        assertEquals("b", event.getThread("promoted").getJavaName());
    }

    @Test
    void eagerPromotionIsRecordedWhenItIsAskedFor() throws Exception {
        pool(PoolFixture.eager(3));
        recording.enable(EAGER_PROMOTION);
        recording.start();
        fixture.join("a", "b");
        FakeHandle quick = fixture.quick("quick");
        fixture.report(quick);
        RecordedEvent event = only(EAGER_PROMOTION);
        assertEquals("a", thread(event));
        assertEquals("b", event.getThread("promoted").getJavaName());
        assertEquals(List.of(), recorded(PROMOTION));
        recording.disable(EAGER_PROMOTION);
        fixture.report(quick);
        assertEquals(1, recorded(EAGER_PROMOTION).size());
    }

    @Test
    void eagerPromotionIsNotRecordedByDefault() throws Exception {
        pool(PoolFixture.eager(3));
        recording.start();
        fixture.join("a", "b");
        fixture.report(fixture.quick("quick"));
        assertEquals(List.of(), recorded(EAGER_PROMOTION));
    }

    @Test
    void takeoverIsRecordedWithTheHandleThatTookSoLong() throws Exception {
        pool(PoolFixture.deferred(3));
        recording.start();
        fixture.join("a", "b");
        fixture.time.computes("a");
        fixture.report(fixture.slow("slow", fixture.gate()));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        RecordedEvent event = only(TAKEOVER);
        assertEquals("test", event.getString("pool"));
        assertEquals("b", event.getThread("promoted").getJavaName());
        assertEquals("a", event.getThread("deposed").getJavaName());
        assertEquals("slow", event.getString("handle"));
        assertEquals(Duration.ofNanos(LOOK_NS), event.getDuration("unwatchedNs"));
        assertEquals(List.of(), recorded(DETECTION_GAP), "in time");
        assertEquals(0, fixture.pool.counters().gapsOverLimit());
    }

    @Test
    void gapOverTheLimitIsRecordedWhenTheWatcherComesLate() throws Exception {
        pool(PoolFixture.deferred(3));
        recording.start();
        fixture.join("a", "b");
        fixture.time.computes("a");
        fixture.report(fixture.slow("slow", fixture.gate()));
        fixture.advance(LOOK_NS);
        fixture.advance(5 * GAP_NS);
        RecordedEvent event = only(DETECTION_GAP);
        assertEquals(Duration.ofNanos(5 * GAP_NS), event.getDuration("unwatchedNs"));
        assertEquals(PoolFixture.MAX_GAP, event.getDuration("limitNs"));
        assertEquals(1, recorded(TAKEOVER).size());
        assertEquals(1, fixture.pool.counters().gapsOverLimit());
    }

    @Test
    void slowHandlerIsRecordedWithItsHandleAndDuration() throws Exception {
        pool(PoolFixture.deferred(3));
        recording.enable(SLOW_HANDLER).withThreshold(Duration.ZERO);
        recording.start();
        fixture.join("a", "b");
        long startNs = System.nanoTime();
        fixture.report(fixture.quick("quick"));
        long tookNs = System.nanoTime() - startNs;
        Duration atMost =
                Duration.ofNanos(tookNs + tookNs / 10); // the recorder's clock is another, and measured at its start
        RecordedEvent event = only(SLOW_HANDLER);
        assertEquals("test", event.getString("pool"));
        assertEquals("quick", event.getString("handle"));
        assertTrue(event.getClass("handler").getName().startsWith(PoolFixture.class.getName()));
        assertEquals("READ", event.getString("ready"));
        assertEquals("a", thread(event));
        assertTrue(event.getDuration().compareTo(atMost) <= 0, () -> event.getDuration() + " of " + atMost);
    }

    @Test
    void eventThatWaitsBehindAnotherHandlerIsRecordedWithThatTime() throws Exception {
        pool(PoolFixture.deferred(1));
        recording.enable(SLOW_HANDLER).withThreshold(Duration.ZERO);
        recording.start();
        fixture.join("a");
        FakeHandle first = fixture.set.register("first", (handle, ready) -> fixture.time.advance(LOOK_NS));
        fixture.report(first, fixture.quick("second"));
        fixture.report(fixture.quick("third"));
        List<RecordedEvent> events = recorded(SLOW_HANDLER);
        assertEquals(
                List.of("first", "second", "third"),
                events.stream().map(event -> event.getString("handle")).toList());
        assertEquals(
                List.of(0L, LOOK_NS, 0L),
                events.stream().map(event -> event.getLong("waitedNs")).toList());
    }

    @Test
    void postedEventHasNoTimeOfWaiting() throws Exception {
        pool(PoolFixture.deferred(1));
        recording.enable(SLOW_HANDLER).withThreshold(Duration.ZERO);
        recording.start();
        fixture.join("a");
        CountDownLatch done = new CountDownLatch(1);
        fixture.set.register("posted", (handle, ready) -> done.countDown()).post(Ready.READ);
        assertTrue(done.await(120, TimeUnit.SECONDS));
        fixture.report(fixture.quick("afterwards"));
        RecordedEvent posted = recorded(SLOW_HANDLER).get(0);
        assertEquals("posted", posted.getString("handle"));
        assertEquals(Long.MIN_VALUE, posted.getLong("waitedNs"));
    }

    @Test
    void harvestIsRecordedWithItsEventsWhenItIsAskedFor() throws Exception {
        pool(PoolFixture.deferred(1));
        recording.start();
        fixture.join("a");
        fixture.report(fixture.quick("unseen"));
        assertEquals(List.of(), recorded(HARVEST), "by default");
        recording.enable(HARVEST);
        fixture.report(fixture.quick("in the wait that began before"));
        fixture.report(fixture.quick("one"), fixture.quick("other"));
        RecordedEvent event = only(HARVEST);
        assertEquals(2, event.getInt("events"));
        assertEquals("a", thread(event));
        assertEquals("test", event.getString("pool"));
    }

    @Test
    void handlerUnderTheThresholdIsNotRecorded() throws Exception {
        pool(PoolFixture.deferred(1));
        recording.enable(SLOW_HANDLER).withThreshold(Duration.ofDays(1));
        recording.start();
        fixture.join("a");
        fixture.report(fixture.quick("quick"));
        assertEquals(List.of(), recorded(SLOW_HANDLER));
    }

    @Test
    void handlerThatThrowsIsRecordedToo() throws Exception {
        pool(PoolFixture.deferred(1));
        recording.enable(SLOW_HANDLER).withThreshold(Duration.ZERO);
        recording.start();
        fixture.join("a");
        fixture.report(fixture.set.register("fails", (handle, ready) -> {
            throw new IllegalStateException("on purpose");
        }));
        assertEquals("fails", only(SLOW_HANDLER).getString("handle"));
    }

    @Test
    void eventsOfPoolsThatRanBeforeTheRecordingBeganAreRecorded() throws Exception {
        pool(PoolFixture.deferred(3));
        fixture.join("a", "b");
        FakeHandle promoting = promoting();
        fixture.report(promoting);
        recording.start();
        fixture.report(promoting);
        assertEquals(1, recorded(PROMOTION).size());
        recording.stop();
        fixture.report(promoting);
        assertEquals(3, fixture.pool.counters().handlerPromotions());
    }
}

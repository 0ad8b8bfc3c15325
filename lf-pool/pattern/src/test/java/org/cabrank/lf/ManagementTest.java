package org.cabrank.lf;

import static org.cabrank.lf.PoolFixture.LOOK_NS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.AttributeNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.cabrank.lf.figures.Beans;
import org.cabrank.lf.figures.PoolFigures;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.observe.BeanRegistration;
import org.cabrank.lf.observe.PoolCounters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A pool over JMX, seen as a console sees it. */
@Timeout(300)
class ManagementTest {
    private static final MBeanServer SERVER = ManagementFactory.getPlatformMBeanServer();

    private final PoolFixture fixture = PoolFixture.deferred(3);

    @AfterEach
    void close() {
        fixture.close();
    }

    private static Object attribute(BeanRegistration shown, String name) throws JMException {
        return SERVER.getAttribute(new ObjectName(shown.objectName()), name);
    }

    @Test
    void everyCounterIsAnAttribute() throws Exception {
        fixture.join("a", "b", "c");
        Gate gate = fixture.gate();
        FakeHandle quick = fixture.quick("quick");
        FakeHandle slow = fixture.slow("slow", gate);
        fixture.report(slow, quick, slow);
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        fixture.set.noteQueueFull();
        fixture.report(fixture.set.register("fails", (handle, ready) -> {
            throw new IllegalStateException("on purpose");
        }));
        try (BeanRegistration shown = fixture.pool.registerBean()) {
            assertEquals("org.cabrank:type=Pool,name=test", shown.objectName());
            PoolCounters counters = fixture.pool.counters();
            for (var counter : PoolCounters.class.getRecordComponents()) {
                String name = Character.toUpperCase(counter.getName().charAt(0))
                        + counter.getName().substring(1);
                assertEquals(counter.getAccessor().invoke(counters), attribute(shown, name), name);
            }
            assertEquals(1, counters.takeovers());
            assertEquals(1, counters.claimedAndMore());
            assertEquals(1, counters.failures());
            assertEquals(1, counters.queueFull());
            assertEquals(4L, attribute(shown, "Detected"));
        }
    }

    @Test
    void threadsShowTheirStateAndWhatTheyHaveDone() throws Exception {
        fixture.join("a", "b");
        Gate gate = fixture.gate();
        fixture.report(fixture.slow("slow", gate), fixture.quick("quick"));
        fixture.advance(LOOK_NS);
        fixture.advance(LOOK_NS);
        try (BeanRegistration shown = fixture.pool.registerBean()) {
            CompositeData[] threads = (CompositeData[]) attribute(shown, "Threads");
            assertEquals(
                    List.of("a PROCESSING 0 0 0", "b LEADER 1 0 1"),
                    Arrays.stream(threads)
                            .map(thread ->
                                    thread.get("name") + " " + thread.get("state") + " " + thread.get("processed") + " "
                                            + thread.get("promotions") + " " + thread.get("takeovers"))
                            .toList());
            assertEquals(
                    List.of("a false 0", "b true 0"),
                    Arrays.stream(threads)
                            .map(thread -> thread.get("name") + " " + thread.get("owner") + " " + thread.get("set"))
                            .toList());
            assertEquals("test", attribute(shown, "Name"));
            assertEquals(3, attribute(shown, "ThreadsMax"));
            assertEquals(2L, attribute(shown, "ThreadsPresent"));
            assertEquals("deferred(100us)", attribute(shown, "Promotion"));
            assertEquals("lifo", attribute(shown, "Order"));
            assertEquals("block", attribute(shown, "Waiting"));
            assertEquals(2, attribute(shown, "Handles"));
            assertEquals(false, attribute(shown, "Terminated"));
            assertEquals(true, attribute(shown, "Live"));
            assertEquals(0, ((String[]) attribute(shown, "LivenessProblems")).length);
            assertThrows(AttributeNotFoundException.class, () -> attribute(shown, "Thread"));
        }
    }

    @Test
    void attributesHaveTheTypesAndDescriptionsOfTheFigures() throws Exception {
        try (BeanRegistration shown = fixture.pool.registerBean()) {
            ObjectName name = new ObjectName(shown.objectName());
            for (MBeanAttributeInfo info : SERVER.getMBeanInfo(name).getAttributes()) {
                Object value = attribute(shown, info.getName());
                String type = info.getType().replaceFirst("^(long|int|boolean)$", "");
                assertTrue(
                        value == null
                                || type.isEmpty()
                                || type.equals(value.getClass().getName()),
                        info::toString);
                assertFalse(info.getDescription().isEmpty(), info::toString);
            }
        }
    }

    @Test
    void latencyIsShownWhereItIsMeasured() throws Exception {
        PoolConfig config = fixture.pool.config().withLatencyMeasured(true);
        try (PoolFixture measured = new PoolFixture(config, Deactivation.CLAIM);
                BeanRegistration shown = measured.pool.registerBean();
                BeanRegistration without = fixture.pool.registerBean()) {
            measured.join("a");
            Gate gate = measured.gate();
            measured.report(measured.slow("slow", gate));
            measured.advance(50);
            measured.open(gate);
            assertEquals(true, attribute(shown, "LatencyMeasured"));
            assertEquals(1L, attribute(shown, "LatencyEvents"));
            for (String percentile : List.of("P50", "P90", "P99", "P999", "Max")) {
                assertEquals(50L, attribute(shown, "Latency" + percentile + "Ns"), percentile);
            }
            long[] counts = (long[]) attribute(shown, "LatencyBuckets");
            long[] endsNs = (long[]) attribute(shown, "LatencyBucketEndsNs");
            assertEquals(51, counts.length);
            assertEquals(51, endsNs.length);
            assertEquals(1, counts[50]);
            assertEquals(50, endsNs[50]);
            assertEquals(false, attribute(without, "LatencyMeasured"));
            assertEquals(0L, attribute(without, "LatencyMaxNs"));
        }
    }

    @Test
    void nothingCanBeSet() throws Exception {
        try (BeanRegistration shown = fixture.pool.registerBean()) {
            ObjectName name = new ObjectName(shown.objectName());
            Set<String> writable = Arrays.stream(SERVER.getMBeanInfo(name).getAttributes())
                    .filter(MBeanAttributeInfo::isWritable)
                    .map(MBeanAttributeInfo::getName)
                    .collect(Collectors.toSet());
            assertEquals(Set.of(), writable);
            assertEquals(0, SERVER.getMBeanInfo(name).getOperations().length);
            assertThrows(JMException.class, () -> SERVER.setAttribute(name, new Attribute("Processed", 0L)));
        }
    }

    @Test
    void secondPoolOfANameHasANumber() throws Exception {
        try (PoolFixture other = PoolFixture.deferred(1);
                BeanRegistration first = fixture.pool.registerBean();
                BeanRegistration second = other.pool.registerBean()) {
            assertEquals("org.cabrank:type=Pool,name=test", first.objectName());
            assertEquals("org.cabrank:type=Pool,name=test,instance=2", second.objectName());
            assertEquals(3, attribute(first, "ThreadsMax"));
            assertEquals(1, attribute(second, "ThreadsMax"));
        }
    }

    @Test
    void shardIsAKeyOfItsOwn() {
        try (BeanRegistration shown = Beans.registerShard(fixture.pool, PoolFigures.POOL, "Pool", "front", 7)) {
            assertEquals("org.cabrank:type=Pool,name=front,shard=7", shown.objectName());
        }
        assertThrows(
                IllegalArgumentException.class,
                () -> Beans.registerShard(fixture.pool, PoolFigures.POOL, "Pool", "front", -1));
    }

    @Test
    void nameThatJmxWouldMistakeIsQuoted() throws Exception {
        for (String name : new String[] {"a,b=c", "*", "", "two\nlines", "\""}) {
            try (BeanRegistration shown = Beans.registerShard(fixture.pool, PoolFigures.POOL, "Pool", name, 0)) {
                ObjectName found = new ObjectName(shown.objectName());
                assertEquals(ObjectName.quote(name), found.getKeyProperty("name"));
                assertTrue(SERVER.isRegistered(found));
            }
        }
    }

    @Test
    void closedRegistrationIsGoneAndItsNameIsFree() throws Exception {
        BeanRegistration shown = fixture.pool.registerBean();
        ObjectName name = new ObjectName(shown.objectName());
        assertTrue(SERVER.isRegistered(name));
        shown.close();
        assertFalse(SERVER.isRegistered(name));
        try (BeanRegistration again = fixture.pool.registerBean()) {
            assertEquals(name.toString(), again.objectName());
            shown.close();
            assertTrue(SERVER.isRegistered(name), "it was not the first registration's any more");
        }
    }

    @Test
    void registrationThatSomebodyElseHasTakenOffClosesQuietly() throws Exception {
        BeanRegistration shown = fixture.pool.registerBean();
        SERVER.unregisterMBean(new ObjectName(shown.objectName()));
        shown.close();
    }

    @Test
    void poolThatHasTerminatedCanStillBeRead() throws Exception {
        fixture.join("a");
        fixture.report(fixture.quick("quick"));
        try (BeanRegistration shown = fixture.pool.registerBean()) {
            fixture.pool.stop();
            fixture.awaitTerminated();
            assertEquals(true, attribute(shown, "Terminated"));
            assertEquals(1L, attribute(shown, "Processed"));
            assertArrayEquals(new Object[0], (Object[]) attribute(shown, "Threads"));
        }
    }
}

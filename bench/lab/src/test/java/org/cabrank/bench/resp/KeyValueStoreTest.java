package org.cabrank.bench.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.bench.resp.KeyValueStore.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class KeyValueStoreTest {
    private static final ByteKey KEY = ByteKey.of("key");
    private static final ByteKey OTHER = ByteKey.of("other");
    private static final int ENTRY = 3 + 5 + KeyValueStore.ENTRY_BYTES;

    private final AtomicLong nowNs = new AtomicLong(Long.MAX_VALUE - 1_000_000); // the clock overflows in the tests
    private final KeyValueStore store = new KeyValueStore(10_000, nowNs::get, new ExpiryQueue(false));

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private String value(ByteKey key) {
        StoredValue value = store.value(key);
        return value == null ? null : new String(value.bytes(), StandardCharsets.UTF_8);
    }

    private void advanceMs(long ms) {
        nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    @Test
    void memoryIsCountedAndReleased() {
        store.put(KEY, bytes("value"));
        assertEquals(ENTRY, store.usedBytes());
        store.put(KEY, bytes("longer value"));
        assertEquals(ENTRY + 7, store.usedBytes());
        assertTrue(store.put(KEY, bytes("value"), Condition.ALWAYS, 10).done());
        assertEquals(ENTRY, store.usedBytes());
        assertFalse(store.put(KEY, bytes("other"), Condition.IF_ABSENT, 0).done());
        assertFalse(store.put(OTHER, bytes("other"), Condition.IF_PRESENT, 0).done());
        assertTrue(store.persist(KEY));
        assertTrue(store.expireAfter(KEY, 100, any -> true));
        assertEquals(ENTRY, store.usedBytes());
        store.put(OTHER, bytes("12"));
        assertEquals(1_012, store.add(OTHER, 1_000));
        assertEquals(ENTRY + 5 + 4 + KeyValueStore.ENTRY_BYTES, store.usedBytes());
        assertThrows(RefusedCommandException.class, () -> store.add(KEY, 1));
        assertTrue(store.remove(OTHER));
        assertFalse(store.remove(OTHER));
        assertTrue(store.expireAfter(KEY, 0, any -> true));
        assertEquals(0, store.usedBytes());
        assertEquals(0, store.expiring());
        assertEquals(0, store.size());
    }

    @Test
    void aWriteThatNeedsTooMuchMemoryIsRefusedAndChangesNothing() {
        store.put(KEY, bytes("value"));
        byte[] large = new byte[9_800];
        RefusedCommandException refused = assertThrows(RefusedCommandException.class, () -> store.put(OTHER, large));
        assertEquals("OOM command not allowed when used memory > 'maxmemory'.", refused.getMessage());
        assertThrows(RefusedCommandException.class, () -> store.put(OTHER, large, Condition.IF_ABSENT, 5));
        assertNull(value(OTHER));
        assertEquals(ENTRY, store.usedBytes());
        store.clear();
        store.put(OTHER, large);
        assertThrows(RefusedCommandException.class, () -> store.add(KEY, 1));
        assertEquals(1, store.size());
    }

    @Test
    void keysExpireWhenTheyAreReadAndByTheTimer() {
        store.put(KEY, bytes("value"), Condition.ALWAYS, 10);
        store.put(OTHER, bytes("value"), Condition.ALWAYS, 20);
        store.put(ByteKey.of("stays"), bytes("value"));
        assertEquals(10, store.ttlMs(KEY));
        assertEquals(-1, store.ttlMs(ByteKey.of("stays")));
        assertEquals(-2, store.ttlMs(ByteKey.of("none")));
        advanceMs(9);
        assertEquals("value", value(KEY));
        assertEquals(0, store.removeExpired(10));
        advanceMs(1);
        assertNull(value(KEY));
        assertEquals(2, store.size());
        advanceMs(10);
        assertEquals(1, store.removeExpired(10));
        assertEquals(1, store.size());
        assertEquals(2, store.expired());
        assertEquals(0, store.expiring());
        assertEquals(0, store.removeExpired(10));
    }

    @Test
    void aKeyThatHasExpiredIsAbsentForConditionsAndNumbers() {
        store.put(KEY, bytes("7"), Condition.ALWAYS, 10);
        advanceMs(10);
        assertFalse(store.put(KEY, bytes("8"), Condition.IF_PRESENT, 0).done());
        assertEquals(0, store.usedBytes());
        store.put(KEY, bytes("7"), Condition.ALWAYS, 10);
        advanceMs(10);
        assertEquals(1, store.add(KEY, 1));
        assertEquals(-1, store.ttlMs(KEY));
        store.put(OTHER, bytes("7"), Condition.ALWAYS, 10);
        advanceMs(10);
        assertFalse(store.remove(OTHER));
        assertFalse(store.expireAfter(OTHER, 10, any -> true));
        assertEquals(0, store.expiring());
    }

    @Test
    void deadlinesOfFormerValuesRemoveNothing() {
        store.put(KEY, bytes("value"), Condition.ALWAYS, 10);
        store.put(KEY, bytes("later"), Condition.ALWAYS, 100);
        store.put(OTHER, bytes("value"), Condition.ALWAYS, 10);
        store.put(OTHER, bytes("stays"));
        assertEquals(1, store.expiring());
        advanceMs(50);
        assertEquals(0, store.removeExpired(10));
        assertEquals("later", value(KEY));
        assertEquals("stays", value(OTHER));
        assertTrue(store.put(KEY, bytes("kept"), Condition.ALWAYS, -1).done());
        assertEquals(50, store.ttlMs(KEY));
        store.put(KEY, bytes("5"), Condition.ALWAYS, -1);
        store.add(KEY, 1);
        assertEquals(50, store.ttlMs(KEY));
        assertEquals(1, store.expiring());
    }

    @Test
    void sumsOfMoreThan64BitsAreRefused() {
        store.put(KEY, bytes(String.valueOf(Long.MAX_VALUE)));
        assertThrows(RefusedCommandException.class, () -> store.add(KEY, 1));
        assertEquals(Long.MAX_VALUE - 1, store.add(KEY, -1));
        store.put(KEY, bytes(String.valueOf(Long.MIN_VALUE)));
        assertThrows(RefusedCommandException.class, () -> store.add(KEY, -1));
        for (String noInteger : List.of("", "+1", "01", " 1", "1.0", "9223372036854775808")) {
            store.put(KEY, bytes(noInteger));
            assertThrows(RefusedCommandException.class, () -> store.add(KEY, 1), noInteger);
        }
    }

    @Test
    void theTimerRemovesKeysByItself() throws Exception {
        ExpiryQueue queue = new ExpiryQueue();
        KeyValueStore timed = new KeyValueStore(10_000, System::nanoTime, queue);
        timed.put(KEY, bytes("value"), Condition.ALWAYS, 1);
        while (timed.expired() == 0 || timed.usedBytes() > 0) { // the timer's thread changes one after the other
            Thread.onSpinWait();
        }
        assertEquals(1, timed.expired());
        assertEquals(0, timed.size());
        queue.close();
    }

    @Test
    void threadsThatChangeTheSameKeysLoseNoUpdateAndNoMemory() throws Exception {
        KeyValueStore shared = new KeyValueStore(1 << 20);
        int threads = 4;
        int rounds = 5_000;
        CountDownLatch begin = new CountDownLatch(1);
        List<Thread> all = new ArrayList<>();
        for (int number = 0; number < threads; number++) {
            Thread thread = new Thread(() -> {
                ByteKey counter = ByteKey.of("counter");
                ByteKey changed = ByteKey.of("changed");
                try {
                    begin.await();
                } catch (InterruptedException stop) {
                    return;
                }
                for (int i = 0; i < rounds; i++) {
                    shared.add(counter, 1);
                    shared.put(changed, new byte[i % 50], Condition.ALWAYS, 1 + i % 3);
                    shared.put(changed, new byte[i % 70]);
                    shared.value(changed);
                    shared.remove(changed);
                }
            });
            thread.start();
            all.add(thread);
        }
        begin.countDown();
        for (Thread thread : all) {
            thread.join();
        }
        assertEquals(threads * rounds, shared.add(ByteKey.of("counter"), 0));
        shared.clear();
        shared.removeExpired(Integer.MAX_VALUE);
        assertEquals(0, shared.usedBytes());
        assertEquals(0, shared.expiring());
    }
}

package org.cabrank.bench.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import org.cabrank.bench.resp.KeyValueStore.Condition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** MSET: its readers see all values or none, and other writers of its keys wait. */
@Timeout(60)
class BatchesTest {
    private static final ByteKey A = ByteKey.of("a");
    private static final ByteKey B = ByteKey.of("b");
    private static final ByteKey C = ByteKey.of("c");

    /** Runs something when the value of a key has been placed, with the batch under way. */
    private static final class Watched extends ConcurrentHashMap<ByteKey, StoredValue> {
        private static final long serialVersionUID = 1;
        private final transient ByteKey key;
        private transient Runnable placed;

        Watched(ByteKey key) {
            this.key = key;
        }

        @Override
        public StoredValue compute(
                ByteKey changed, BiFunction<? super ByteKey, ? super StoredValue, ? extends StoredValue> change) {
            StoredValue value = super.compute(changed, change);
            Runnable once = placed;
            if (changed.equals(key) && once != null) {
                placed = null;
                once.run();
            }
            return value;
        }
    }

    private final AtomicLong nowNs = new AtomicLong();
    private final Watched values = new Watched(B);
    private final KeyValueStore store = new KeyValueStore(10_000, nowNs::get, new ExpiryQueue(false), values);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Map<ByteKey, byte[]> batch(String value, ByteKey... keys) {
        Map<ByteKey, byte[]> batch = new LinkedHashMap<>();
        for (ByteKey key : keys) {
            batch.put(key, bytes(value));
        }
        return batch;
    }

    private static String text(StoredValue value) {
        return value == null ? "-" : new String(value.bytes(), StandardCharsets.UTF_8);
    }

    private String read() {
        StoredValue[] together = store.values(3, i -> List.of(A, B, C).get(i));
        String one = text(store.value(A)) + text(store.value(B)) + text(store.value(C));
        assertEquals(one, text(together[0]) + text(together[1]) + text(together[2]));
        return one;
    }

    @Test
    void formerValuesAreReadUntilTheBatchEnds() {
        store.put(A, bytes("1"));
        store.put(C, bytes("3"), Condition.ALWAYS, 10);
        List<String> seen = new ArrayList<>();
        values.placed = () -> seen.add(read());
        store.putAll(batch("x", A, B, C));
        assertEquals(List.of("1-3"), seen);
        assertEquals("xxx", read());
        assertEquals(3 * (1 + 1 + KeyValueStore.ENTRY_BYTES), store.usedBytes());
        assertEquals(0, store.expiring());
        assertTrue(values.values().stream().allMatch(StoredValue::isPlain), "the former values are not kept");
    }

    @Test
    void aFormerValueThatExpiresMeanwhileIsGoneAndCountedOnce() {
        store.put(A, bytes("1"), Condition.ALWAYS, 10);
        List<String> seen = new ArrayList<>();
        values.placed = () -> {
            nowNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(10));
            seen.add(read());
            store.removeExpired(10);
        };
        store.putAll(batch("x", A, B));
        assertEquals(List.of("---"), seen);
        assertEquals("xx-", read());
        assertEquals(2 * (1 + 1 + KeyValueStore.ENTRY_BYTES), store.usedBytes());
        assertEquals(0, store.expiring());
    }

    @Test
    void aBatchThatFailsHasNoEffect() {
        store.put(A, bytes("1"));
        long used = store.usedBytes();
        values.placed = () -> {
            throw new IllegalStateException("as if there was no memory");
        };
        assertThrows(IllegalStateException.class, () -> store.putAll(batch("x", A, B, C)));
        assertEquals("1--", read());
        assertEquals(used, store.usedBytes());
        assertEquals(1, store.size());
        assertThrows(RefusedCommandException.class, () -> store.putAll(batch("x".repeat(9_900), A, B)));
        assertEquals("1--", read());
        assertEquals(used, store.usedBytes());
        store.put(A, bytes("2"));
        assertEquals("2--", read());
    }

    @Test
    void otherWritersOfItsKeysWaitForItsEnd() throws Exception {
        store.put(A, bytes("1"));
        List<CompletableFuture<Void>> writers = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(4);
        values.placed = () -> {
            for (Runnable write : List.<Runnable>of(
                    () -> store.put(A, bytes("p")),
                    () -> store.put(A, bytes("q"), Condition.IF_PRESENT, 0),
                    () -> store.remove(B),
                    () -> store.expireAfter(B, 1_000, any -> true))) {
                writers.add(CompletableFuture.runAsync(
                        () -> {
                            begun.countDown();
                            write.run();
                        },
                        task -> new Thread(task, "writer").start()));
            }
            try {
                begun.await();
            } catch (InterruptedException stop) {
                throw new IllegalStateException(stop);
            }
            store.put(C, bytes("3")); // not in the batch
            assertEquals("1-3", read());
        };
        store.putAll(batch("x", A, B));
        for (CompletableFuture<Void> writer : writers) {
            writer.get();
        }
        assertTrue(List.of("p", "q").contains(text(store.value(A))));
        store.clear();
        assertEquals(0, store.usedBytes());
        assertEquals(0, store.expiring());
    }

    @Test
    void readersNeverSeeAPartOfABatch() throws Exception {
        KeyValueStore shared = new KeyValueStore(1 << 20);
        shared.putAll(batch("1000", A, B));
        AtomicBoolean over = new AtomicBoolean();
        List<CompletableFuture<Void>> all = new ArrayList<>();
        all.add(CompletableFuture.runAsync(() -> {
            for (int i = 1_001; i < 9_000; i++) {
                shared.putAll(i % 2 == 0 ? batch("" + i, A, B) : batch("" + i, B, A));
            }
            over.set(true);
        }));
        for (int n = 0; n < 2; n++) {
            all.add(CompletableFuture.runAsync(() -> {
                while (!over.get()) {
                    StoredValue[] together = shared.values(2, i -> i == 0 ? A : B);
                    assertEquals(text(together[0]), text(together[1]));
                    String first = text(shared.value(A));
                    String second = text(shared.value(B));
                    assertTrue(first.compareTo(second) <= 0, first + " before " + second);
                }
            }));
        }
        for (CompletableFuture<Void> one : all) {
            one.get();
        }
        shared.clear();
        assertEquals(0, shared.usedBytes());
    }
}

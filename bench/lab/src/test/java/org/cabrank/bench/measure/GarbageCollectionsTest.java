package org.cabrank.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class GarbageCollectionsTest {

    @Test
    void aCollectionIsCountedAndItsPauseDoesNotShrink() {
        GarbageCollections before = GarbageCollections.now();
        System.gc();
        GarbageCollections between = GarbageCollections.now().since(before);
        assertTrue(between.count() >= 1, between.toString());
        assertTrue(between.pauseMs() >= 0, between.toString());
        assertEquals(new GarbageCollections(3, 4), new GarbageCollections(5, 9).since(new GarbageCollections(2, 5)));
    }
}

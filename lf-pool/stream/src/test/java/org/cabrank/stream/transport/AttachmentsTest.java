package org.cabrank.stream.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.cabrank.stream.AttachmentKey;
import org.junit.jupiter.api.Test;

class AttachmentsTest {
    @Test
    void eachKeyHasTheValueThatWasPutLast() {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            Attachments attachments = new Attachments();
            Map<AttachmentKey<Integer>, Integer> expected = new HashMap<>();
            AttachmentKey<Integer>[] keys = keys();
            for (int step = 0; step < 300; step++) {
                AttachmentKey<Integer> key = keys[random.nextInt(keys.length)];
                Integer value = random.nextInt(3) == 0 ? null : step;
                attachments.put(key, value);
                expected.put(key, value);
                for (AttachmentKey<Integer> any : keys) {
                    assertEquals(expected.get(any), attachments.get(any));
                }
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static AttachmentKey<Integer>[] keys() {
        return Stream.generate(() -> AttachmentKey.<Integer>named("the same name"))
                .limit(5)
                .toArray(AttachmentKey[]::new);
    }

    @Test
    void aNullKeyIsRefused() {
        Attachments attachments = new Attachments();
        assertThrows(NullPointerException.class, () -> attachments.put(null, "x"));
        assertNull(attachments.get(AttachmentKey.named("x")));
        assertEquals("session", AttachmentKey.named("session").toString());
    }
}

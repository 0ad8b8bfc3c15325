package org.cabrank.stream.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/**
 * Buffers that are lent without a copy, as every service has them. The contract tests of all backends lend copies, whose order is
 * always right.
 */
class LentBuffersTest {

    @Test
    void theBufferItselfIsInNetworkByteOrderWhateverTheHandlerBeforeHasSet() {
        ByteBuffer own = ByteBuffer.allocateDirect(8).order(ByteOrder.LITTLE_ENDIAN);
        ByteBuffer lent = LentBuffers.lend(own);
        assertEquals(ByteOrder.BIG_ENDIAN, own.order());
        assertEquals(ByteOrder.BIG_ENDIAN, lent.order());
    }

    @Test
    void bytesBehindALimitOfTheHandlerAreUnreadAndThoseBehindTheirEndAreNot() {
        ByteBuffer own = ByteBuffer.allocateDirect(8).limit(6);
        ByteBuffer lent = LentBuffers.lend(own);
        lent.get();
        lent.limit(2);
        LentBuffers.reclaim(own, lent, 6);
        assertEquals(1, own.position());
        assertEquals(6, own.limit());
        lent = LentBuffers.lend(own);
        lent.limit(lent.capacity());
        LentBuffers.reclaim(own, lent, 6);
        assertEquals(6, own.limit());
    }
}

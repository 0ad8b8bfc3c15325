package org.cabrank.stream.transport;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;
import org.cabrank.lf.handle.Harvest;
import org.cabrank.stream.StreamLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Small writes of a connection whose backend sends from the queue: the memory that they are copied to, and how often. */
@ParameterizedClass(name = "owned {0}")
@ValueSource(booleans = {true, false})
class GatherBufferTest {
    private static final int CHUNK_BYTES = 16 << 10;
    private static final int SMALLEST_BYTES = 512;

    @Parameter
    boolean owned;

    private long nextAddress = 1 << 20;

    /** Addresses that do not overlap. */
    private final ChunkPool pool = new ChunkPool(CHUNK_BYTES, direct -> nextAddress += 1 << 20);

    private final StreamContext context = new StreamContext(new NoHandles(), StreamLimits.DEFAULT, pool);
    private final Requests requests = new Requests();
    private final Outbound outbound = new Outbound(context, requests);
    private final GatherBuffer gather = context.buffers().gather;
    private int written;

    /** A backend that sends by requests, which never end by themselves. */
    private static final class Requests implements Transmitter {
        private OutboundQueue queue;
        private int taken;
        private long address;
        private boolean oneChunk;

        @Override
        public int sendQueued(OutboundQueue toSend) {
            queue = toSend;
            address = toSend.headAddress();
            oneChunk = toSend.isInOnePiece();
            int answer = taken;
            taken = 0;
            return answer;
        }

        @Override
        public void submit() {}
    }

    private static final class NoHandles extends HandleSet {
        NoHandles() {
            super(Deactivation.CLAIM);
        }

        @Override
        protected Harvest newHarvest() {
            throw new UnsupportedOperationException("nobody waits");
        }

        @Override
        protected void interruptAwait() {}

        @Override
        protected void rearm(Handle handle) throws IOException {}

        @Override
        protected void closeDescriptor(Handle handle) {}
    }

    @BeforeEach
    void own() {
        if (owned) {
            pool.ownedByCaller();
        }
        outbound.enter(context.buffers());
    }

    @AfterEach
    void nothingIsInUse() {
        outbound.discard();
        assertEquals(0, pool.inUse());
        assertEquals(0, pool.usedBytes());
    }

    private byte[] write(int count) {
        byte[] bytes = new byte[count];
        for (int i = 0; i < count; i++) {
            bytes[i] = (byte) written++;
        }
        outbound.write(ByteBuffer.wrap(bytes));
        return bytes;
    }

    /** All that is queued goes out. */
    private byte[] takeAll() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Chunk chunk = requests.queue.head(); chunk != null; chunk = requests.queue.following(chunk)) {
            byte[] bytes = new byte[chunk.bytes.position()];
            chunk.bytes.get(0, bytes);
            all.writeBytes(bytes);
        }
        requests.taken = all.size();
        outbound.flushQueue();
        assertTrue(outbound.isEmpty());
        return all.toByteArray();
    }

    private void callbackThatWrites(int count) {
        byte[] bytes = write(count);
        outbound.flushGathered();
        assertArrayEquals(bytes, takeAll());
    }

    @Test
    void anAnswerOfTheSizeOfTheLastIsSentFromWhereItWasWritten() {
        callbackThatWrites(100);
        for (int i = 0; i < 5; i++) {
            byte[] bytes = write(100 + i);
            long address = gather.address();
            assertEquals(0, pool.inUse(), "in use before it is needed");
            outbound.flushGathered();
            assertEquals(address, requests.address);
            assertEquals(1, pool.inUse());
            assertEquals(SMALLEST_BYTES, pool.usedBytes());
            assertNotEquals(address, gather.address(), "the memory of a request is given to another callback");
            assertArrayEquals(bytes, takeAll());
        }
    }

    @Test
    void severalWritesOfACallbackAreOneAnswer() throws IOException {
        callbackThatWrites(5_000);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int i = 0; i < 50; i++) {
            bytes.write(write(100));
        }
        long address = gather.address();
        outbound.flushGathered();
        assertEquals(address, requests.address);
        assertTrue(requests.oneChunk);
        assertArrayEquals(bytes.toByteArray(), takeAll());
    }

    @Test
    void anAnswerThatIsLargerThanTheLastGrowsInOnePiece() throws IOException {
        callbackThatWrites(900); // the chunk to grow to
        callbackThatWrites(100);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(write(400));
        long small = gather.address();
        bytes.write(write(400));
        long address = gather.address();
        assertNotEquals(small, address);
        outbound.flushGathered();
        assertEquals(address, requests.address);
        assertArrayEquals(bytes.toByteArray(), takeAll());
    }

    @Test
    void anAnswerThatIsSmallerThanTheLastTakesNoMoreMemoryThanItNeeds() {
        callbackThatWrites(5_000);
        byte[] bytes = write(10);
        outbound.flushGathered();
        assertEquals(SMALLEST_BYTES, pool.usedBytes());
        assertArrayEquals(bytes, takeAll());
    }

    @Test
    void noChunkIsTakenOverBeyondTheBound() {
        callbackThatWrites(100);
        pool.bound(SMALLEST_BYTES);
        write(100);
        outbound.flushGathered();
        assertEquals(0, pool.inUse());
        assertTrue(outbound.failure() != null, "no memory");
        assertEquals(1, pool.refusedCount());
    }

    @Test
    void droppedBytesAreNotInTheNextAnswer() {
        callbackThatWrites(100);
        write(100);
        outbound.enter(context.buffers());
        callbackThatWrites(20);
    }

    @Test
    void moreThanFitsIsQueuedBehindWhatWasGathered() throws IOException {
        for (int round = 0; round < 3; round++) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            while (bytes.size() <= ThreadBuffers.GATHER_BYTES) {
                bytes.write(write(7_000));
            }
            assertFalse(outbound.isEmpty(), "nothing was begun");
            outbound.flushGathered();
            assertArrayEquals(bytes.toByteArray(), takeAll());
        }
    }

    @Test
    void bytesOfAllSizesKeepTheirOrder() throws IOException {
        Random random = new Random(1);
        for (int callback = 0; callback < 2_000; callback++) {
            outbound.enter(context.buffers());
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int writes = random.nextInt(8); writes >= 0; writes--) {
                bytes.write(write(1 + random.nextInt(1 << random.nextInt(14))));
            }
            outbound.flushGathered();
            assertArrayEquals(bytes.toByteArray(), takeAll());
        }
    }
}

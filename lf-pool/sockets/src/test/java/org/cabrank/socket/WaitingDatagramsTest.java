package org.cabrank.socket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.SocketAddresses;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.cabrank.socket.calls.PeerAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory of datagrams that wait, compared with a queue of the JDK. */
class WaitingDatagramsTest {
    private record Expected(int port, byte first, int bytes) {}

    /** A kernel that makes no call: addresses are offsets in the last memory asked for. */
    private static final class Offsets extends ForwardingKernel {
        private ByteBuffer memory;

        Offsets() {
            super((Kernel) Proxy.newProxyInstance(
                    Kernel.class.getClassLoader(), new Class<?>[] {Kernel.class}, (self, call, arguments) -> {
                        throw new AssertionError(call + " is called");
                    }));
        }

        @Override
        public long addressOf(ByteBuffer direct) {
            memory = direct;
            return BASE;
        }

        ByteBuffer at(long address, int bytes) {
            return memory.slice((int) (address - BASE), bytes).order(ByteOrder.nativeOrder());
        }
    }

    private static final long BASE = 1L << 40;

    private final Offsets kernel = new Offsets();
    private final PeerAddress to = new PeerAddress(kernel);
    private final ByteBuffer data = ByteBuffer.allocateDirect(2_000);

    private boolean add(WaitingDatagrams waiting, Expected datagram) {
        to.encode(new InetSocketAddress("127.0.0.1", datagram.port()));
        data.put(3, datagram.first());
        return waiting.add(to, data, 3, datagram.bytes());
    }

    private Expected oldest(WaitingDatagrams waiting) {
        int bytes = waiting.bytes();
        byte first = kernel.at(waiting.addressOfData(), 1).get(0);
        int length = waiting.lengthOfDestination();
        ByteBuffer name = ByteBuffer.allocate(SocketAddresses.ROOM_BYTES).order(ByteOrder.nativeOrder());
        name.put(0, kernel.at(waiting.addressOfDestination(), length), 0, length);
        return new Expected(((InetSocketAddress) SocketAddresses.decode(name, length)).getPort(), first, bytes);
    }

    @ParameterizedTest
    @ValueSource(ints = {1_024, 1_500, 4_096, 100_000})
    void datagramsComeBackInOrder(int bytesMax) {
        WaitingDatagrams waiting = new WaitingDatagrams(kernel, new DatagramQueueLimits(20, bytesMax));
        Queue<Expected> expected = new ArrayDeque<>();
        Random random = new Random(bytesMax);
        int added = 0;
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(5) > 1) {
                Expected next =
                        new Expected(1 + random.nextInt(60_000), (byte) random.nextInt(), 1 + random.nextInt(700));
                if (add(waiting, next)) {
                    expected.add(next);
                    added++;
                } else {
                    assertTrue(expected.size() == 20 || bytesMax < 20 * 752, "there was room");
                    assertFalse(expected.isEmpty(), "an empty queue has room for each datagram");
                }
            } else if (!expected.isEmpty()) {
                assertEquals(expected.remove(), oldest(waiting));
                waiting.remove();
            }
            assertEquals(expected.size(), waiting.count());
        }
        assertTrue(added > 5_000);
    }

    @Test
    void datagramThatIsLongerThanTheMemoryIsRefused() {
        WaitingDatagrams waiting = new WaitingDatagrams(kernel, new DatagramQueueLimits(20, 1_024));
        assertFalse(add(waiting, new Expected(1, (byte) 1, 977)));
        assertTrue(add(waiting, new Expected(1, (byte) 1, 976)));
        assertFalse(waiting.isHalfEmpty());
        assertEquals(1, waiting.clear());
        assertTrue(waiting.isHalfEmpty());
        assertTrue(add(waiting, new Expected(1, (byte) 1, 976)));
    }

    @Test
    void datagramOfAConnectedSocketHasNoAddress() {
        WaitingDatagrams waiting = new WaitingDatagrams(kernel, new DatagramQueueLimits(2, 1_024));
        to.clear();
        assertTrue(waiting.add(to, data, 0, 0));
        assertEquals(0, waiting.addressOfDestination());
        assertEquals(0, waiting.bytes());
    }
}

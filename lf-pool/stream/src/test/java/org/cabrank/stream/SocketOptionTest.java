package org.cabrank.stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.cabrank.stream.transport.OptionPlace;
import org.junit.jupiter.api.Test;

/** Values of options: ranges, units and copies. */
class SocketOptionTest {
    private static <T> void refused(SocketOption<T> option, T value, String words) {
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> SocketOptions.NONE.with(option, value));
        assertTrue(refused.getMessage().contains(words), refused::getMessage);
        assertTrue(refused.getMessage().contains(option.name()), refused::getMessage);
    }

    @Test
    void valuesOutOfRangeAreRefusedWithTheRange() {
        refused(SocketOption.TCP_KEEPCNT, 128, "from 1 to 127, but is 128");
        refused(SocketOption.TCP_KEEPIDLE, Duration.ZERO, "from 1 to 32767 seconds");
        refused(SocketOption.TCP_KEEPIDLE, Duration.ofMillis(1_500), "whole seconds");
        refused(SocketOption.TCP_USER_TIMEOUT, Duration.ofDays(30), "2147483647 milliseconds");
        refused(SocketOption.SO_BUSY_POLL, Duration.ofNanos(1), "whole microseconds");
        refused(SocketOption.TCP_CONGESTION, "x".repeat(16), "up to 15");
        refused(SocketOption.IP_TOS, 256, "from 0 to 255");
        assertThrows(NullPointerException.class, () -> SocketOptions.NONE.with(SocketOption.IP_TOS, null));
        assertThrows(IllegalArgumentException.class, () -> SocketOption.ofInt(-1, 1));
    }

    @Test
    void valuesSurviveTheKernelsForm() {
        same(SocketOption.TCP_NODELAY, false);
        same(SocketOption.TCP_USER_TIMEOUT, Duration.ofMillis(1_234));
        same(SocketOption.SO_BUSY_POLL, Duration.ofNanos(5_000));
        same(SocketOption.TCP_KEEPIDLE, Duration.ofMinutes(2));
        same(SocketOption.SO_MARK, -1);
        same(SocketOption.TCP_CONGESTION, "cubic");
        assertEquals("reno", SocketOption.TCP_CONGESTION.decode("reno\0\0".getBytes()));
        assertEquals(0x28, SocketOption.IP_TOS.decode(new byte[] {0x28}));
    }

    private static <T> void same(SocketOption<T> option, T value) {
        assertEquals(value, option.decode(option.encode(value)));
    }

    @Test
    void optionsFitTheSocketsThatTheyAreFor() {
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", 0);
        SocketOption.SO_BINDTODEVICE.requireFit(address, OptionPlace.DATAGRAM);
        SocketOption.SO_BINDTODEVICE.requireFit(address, OptionPlace.CONNECTED);
        SocketOption.TCP_CONGESTION.requireFit(address, OptionPlace.CONNECTED);
        assertThrows(
                IllegalArgumentException.class,
                () -> SocketOption.TCP_CONGESTION.requireFit(address, OptionPlace.DATAGRAM));
    }

    @Test
    void optionsAreImmutable() {
        byte[] bytes = {1, 2};
        SocketOption<byte[]> byNumber = SocketOption.ofBytes(1, 13);
        SocketOptions options = SocketOptions.NONE.with(byNumber, bytes).with(SocketOption.IP_TOS, 8);
        bytes[0] = 9;
        options.get(byNumber)[1] = 9;
        assertArrayEquals(new byte[] {1, 2}, options.get(byNumber));
        assertTrue(SocketOptions.NONE.isEmpty());
        assertNull(options.without(SocketOption.IP_TOS).get(SocketOption.IP_TOS));
        assertEquals(8, options.get(SocketOption.IP_TOS));
        assertThrows(
                UnsupportedOperationException.class, () -> options.options().clear());
    }

    @Test
    void optionsByNumberAreEqualIfTheirNumbersAre() {
        assertEquals(SocketOption.ofInt(1, 2), SocketOption.ofInt(1, 2));
        assertEquals(
                SocketOption.ofInt(1, 2).hashCode(), SocketOption.ofInt(1, 2).hashCode());
        assertNotEquals(SocketOption.ofInt(1, 2), SocketOption.ofInt(1, 3));
        assertNotEquals(SocketOption.ofInt(1, 2), SocketOption.ofBytes(1, 2));
        assertEquals("option 2 of level 1", SocketOption.ofInt(1, 2).toString());
    }
}

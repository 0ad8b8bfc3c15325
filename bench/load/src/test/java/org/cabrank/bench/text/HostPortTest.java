package org.cabrank.bench.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class HostPortTest {

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:7000, 127.0.0.1, 7000",
        "localhost:0, localhost, 0",
        "[::1]:65535, ::1, 65535",
        "0.0.0.0:80, 0.0.0.0, 80"
    })
    void hostAndPortAreTakenApart(String text, String host, int port) {
        assertEquals(new HostPort(host, port), HostPort.parse(text));
        assertEquals(text, HostPort.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "7000", ":7000", "host:", "host:port", "host:65536", "host:-1", "::1:7000", "[]:1"})
    void anythingElseIsRefused(String text) {
        assertThrows(IllegalArgumentException.class, () -> HostPort.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1:1",
        "::1, [::1]:1",
        "::, [::]:1",
        "fe80::, [fe80::]:1",
        "2001:db8::1:0:0:1, [2001:db8::1:0:0:1]:1",
        "2001:db8:0:1:1:1:1:1, [2001:db8:0:1:1:1:1:1]:1",
        "1:2:3:4:5:6:7:8, [1:2:3:4:5:6:7:8]:1",
        "0:0:1:0:0:0:1:1, [0:0:1::1:1]:1"
    })
    void anAddressIsWrittenAsItIsRead(String address, String expected) throws UnknownHostException {
        assertEquals(expected, HostPort.format(new InetSocketAddress(InetAddress.getByName(address), 1)));
    }

    @Test
    void anUnknownHostIsNamed() {
        UnknownHostException unknown = assertThrows(
                UnknownHostException.class,
                () -> HostPort.parse("no-such-host.invalid:1").resolve());
        assertEquals(true, unknown.getMessage().contains("no-such-host.invalid"));
    }
}

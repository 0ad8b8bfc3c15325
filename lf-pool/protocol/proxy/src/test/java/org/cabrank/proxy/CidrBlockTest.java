package org.cabrank.proxy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CidrBlockTest {
    private static byte[] bytes(String address) {
        return IpLiteral.unmapped(address.indexOf(':') < 0 ? IpLiteral.ipv4(address) : IpLiteral.ipv6(address));
    }

    @ParameterizedTest
    @CsvSource({
        "10.0.0.0/8, 10.255.255.255, true",
        "10.0.0.0/8, 11.0.0.0, false",
        "10.0.0.0/8, 9.255.255.255, false",
        "192.0.2.128/25, 192.0.2.128, true",
        "192.0.2.128/25, 192.0.2.127, false",
        "192.0.2.4/31, 192.0.2.5, true",
        "192.0.2.4/31, 192.0.2.6, false",
        "127.0.0.1, 127.0.0.1, true",
        "127.0.0.1, 127.0.0.2, false",
        "0.0.0.0/0, 255.255.255.255, true",
        "0.0.0.0/0, ::1, false",
        "::/0, 10.0.0.1, false",
        "::/0, 2001:db8::1, true",
        "fd00::/8, fdff:ffff::1, true",
        "fd00::/8, fe00::, false",
        "2001:db8::/33, 2001:db8:7fff::, true",
        "2001:db8::/33, 2001:db8:8000::, false",
        "::1, ::1, true",
        "::1/128, ::2, false",
        "::ffff:10.0.0.0/104, 10.1.2.3, true",
        "::ffff:10.0.0.0/104, 11.1.2.3, false",
        "10.0.0.0/8, ::ffff:10.1.2.3, true",
    })
    void aBlockHasTheAddressesOfItsPrefix(String block, String address, boolean contained) {
        assertEquals(contained, CidrBlock.parse(block).contains(bytes(address)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "10.0.0/8",
                "10.0.0.0/",
                "10.0.0.0/33",
                "10.0.0.0/-1",
                "10.0.0.0/08",
                "10.0.0.1/8",
                "10.0.0.0/8/8",
                " 10.0.0.0/8",
                "::1/129",
                "::1/127",
                "fe80::1%eth0",
                "[::1]"
            })
    void textThatIsNoCidrBlockIsRefused(String text) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> CidrBlock.parse(text));
        assertTrue(refused.getMessage().contains("'" + text + "'"), refused.getMessage());
    }

    @Test
    void theRefusalOfBitsBehindThePrefixNamesTheBlock() {
        String message = assertThrows(IllegalArgumentException.class, () -> CidrBlock.parse("10.1.2.3/12"))
                .getMessage();
        assertTrue(message.contains("10.0.0.0/12"), message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.2.3",
                "1.2.3.4.5",
                "1.2.3.256",
                "01.2.3.4",
                "1.2.3.",
                "1..2.3",
                "+1.2.3.4",
                "1.2.3.4 ",
                "0x1.2.3.4",
                "1.2.3.1000"
            })
    void textThatIsNoIpv4AddressIsRefused(String text) {
        assertNull(IpLiteral.ipv4(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":",
                ":::",
                "1",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "1::2::3",
                "12345::",
                "g::",
                ":1::",
                "1::2:",
                "1:2:3:4:5:6:7::8",
                "::1.2.3",
                "1.2.3.4::",
                "::1.2.3.4:5",
                "::%1",
                "1:2:3:4:5:6:7:1.2.3.4",
                "::-1"
            })
    void textThatIsNoIpv6AddressIsRefused(String text) {
        assertNull(IpLiteral.ipv6(text));
    }

    /** The JDK's parser is the reference. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "::",
                "::1",
                "1::",
                "1:2:3:4:5:6:7:8",
                "1:2:3:4:5:6:7::",
                "::2:3:4:5:6:7:8",
                "fE80::aBcD",
                "64:ff9b::192.0.2.1",
                "1:2:3:4:5:6:1.2.3.4",
                "0001:0:0:0:0:0:0:0"
            })
    void ipv6AddressesAreReadAsTheJdkReadsThem(String text) throws Exception {
        assertArrayEquals(InetAddress.getByName(text).getAddress(), IpLiteral.ipv6(text));
    }

    @Test
    void textOfAnyAddressIsReadAsTheSameAddress() {
        Random random = new Random(7);
        for (int i = 0; i < 1_000; i++) {
            byte[] ipv4 = new byte[4];
            byte[] ipv6 = new byte[16];
            random.nextBytes(ipv4);
            random.nextBytes(ipv6);
            ipv6[random.nextInt(16)] = 0;
            assertArrayEquals(ipv4, IpLiteral.ipv4(IpLiteral.text(ipv4)));
            assertArrayEquals(ipv6, IpLiteral.ipv6(IpLiteral.text(ipv6)));
            assertArrayEquals(ipv4, IpLiteral.unmapped(IpLiteral.mapped(ipv4)));
        }
    }
}

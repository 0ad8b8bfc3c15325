package org.cabrank.epoll;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.StreamReactor;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.Recorder;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** TCP urgent data: a receive stops in front of the urgent byte, although bytes behind it have come. */
@Timeout(120)
class EpollUrgentDataTest {
    private static final int URGENT_BYTES = 20;

    static Stream<ReactorMode> modes() {
        return EpollModes.pools();
    }

    @ParameterizedTest
    @MethodSource("modes")
    void bytesBehindUrgentDataComeAtOnce(ReactorMode mode) throws Exception {
        StringBuffer received = new StringBuffer();
        try (TestReactor reactor = TestReactor.start(mode, StreamReactor.builder());
                Socket client = new Socket()) {
            client.setTcpNoDelay(true);
            client.connect(
                    (InetSocketAddress) reactor.listen((connection, data) -> received.append(Recorder.text(data))));
            client.getOutputStream().write('a');
            Await.until("the first byte", () -> "a".contentEquals(received));
            for (int i = 1; i <= URGENT_BYTES; i++) {
                int expected = 1 + 4 * i;
                client.getOutputStream().write("bc".getBytes(StandardCharsets.US_ASCII));
                client.sendUrgentData('!');
                client.getOutputStream().write("de".getBytes(StandardCharsets.US_ASCII));
                Await.until("bytes on both sides of the urgent byte", () -> received.length() == expected);
            }
        }
        assertEquals("a" + "bcde".repeat(URGENT_BYTES), received.toString());
    }
}

package org.cabrank.netty.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.bootstrap.ServerBootstrap;
import java.net.InetSocketAddress;
import org.cabrank.netty.example.WebSocketChat;
import org.junit.jupiter.api.Test;

/** The example of a chat. */
class ChatTest extends ProgramContract {
    private static final int SAID = 20_000;
    private static final int BURST = 100;
    private static final String FILLING = "x".repeat(100);

    private static int number(RawWebSocket.Frame frame) {
        String text = frame.text();
        return Integer.parseInt(text.substring(0, text.indexOf('x')));
    }

    /** Two MB are said, and there is room for a small part of that before the member that does not read. */
    @Test
    void memberThatDoesNotReadMissesMessagesAndDelaysNobody() throws Exception {
        InetSocketAddress address = (InetSocketAddress) new WebSocketChat()
                .listen(new ServerBootstrap().group(group).channel(transport.listening()), loopback())
                .localAddress();
        try (RawWebSocket slow = new RawWebSocket(address, 4_096);
                RawWebSocket speaker = new RawWebSocket(address, 0)) {
            for (int i = 0; i < SAID; i += BURST) {
                for (int j = i; j < i + BURST; j++) {
                    speaker.send(RawWebSocket.text(j + FILLING));
                }
                for (int j = i; j < i + BURST; j++) {
                    assertEquals(j, number(speaker.read()));
                }
            }
            int heard = 0;
            int latest = -1;
            for (int next = SAID; latest < SAID; next++) {
                RawWebSocket.Frame frame = slow.read();
                assertTrue(number(frame) > latest);
                latest = number(frame);
                heard++;
                speaker.send(RawWebSocket.text(next + FILLING));
            }
            assertTrue(heard < SAID, () -> "the slow member has missed nothing");
        }
    }
}

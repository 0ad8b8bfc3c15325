package org.cabrank.socket.transport;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

class AcceptPausesTest {
    private static final SocketAddress ADDRESS = new InetSocketAddress("127.0.0.1", 7000);

    private final AcceptPauses pauses = new AcceptPauses();

    /** A drain closes the listener of one shard before that of another. */
    @Test
    void addressIsNewOnceAlthoughItsFirstPauseWasRemoved() {
        AcceptPause first = new AcceptPause(null, ADDRESS, pauses);
        assertTrue(pauses.add(first));
        pauses.remove(first);
        assertFalse(pauses.add(new AcceptPause(null, ADDRESS, pauses)));
        assertTrue(pauses.add(new AcceptPause(null, new InetSocketAddress("127.0.0.1", 7001), pauses)));
    }
}

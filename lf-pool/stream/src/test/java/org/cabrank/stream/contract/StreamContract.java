package org.cabrank.stream.contract;

import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/**
 * Common parts of the contracts: reactors and clients that are closed after the test, clients first, and the check that
 * a closed reactor holds no handle, no chunk and no connection any more.
 */
@Timeout(300) // well beyond the patience with which tests wait, for those that exchange much on a machine that is busy
public abstract class StreamContract {
    /** For reactors that are closed while their peers are to be served still. */
    protected static final Duration PATIENT_DRAIN = Duration.ofNanos(2 * Await.PATIENCE_NS);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Construction of the reactor under test. */
    protected abstract ReactorMode mode();

    /** After the test; or in it, for a look at what is left. */
    @AfterEach
    protected final void closeWhatWasOpened() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    /** Closes it after the test, before what was given earlier. */
    protected final <T extends AutoCloseable> T closing(T resource) {
        opened.push(resource);
        return resource;
    }

    /** With the time to drain that a slow and busy machine may need. */
    protected final TestReactor start() throws IOException {
        return start(StreamReactor.builder().drainTimeout(PATIENT_DRAIN));
    }

    protected final TestReactor start(StreamReactor.Builder builder) throws IOException {
        return closing(TestReactor.start(mode(), builder));
    }

    /** Starts a reactor whose connections all have this handler; the answer is where it listens. */
    protected final SocketAddress serve(ConnectionHandler handler) throws IOException {
        return start().listen(handler);
    }

    protected final TestClient client(SocketAddress address) throws IOException {
        return closing(mode().connect(address));
    }

    /** An idle time; longer through a layer, because it runs during the client's handshake, too. */
    protected final Duration idleTime(int ms) {
        return Duration.ofMillis(mode().layer() == StreamLayer.NONE ? ms : 10L * ms);
    }

    protected static byte[] randomBytes(int count, long seed) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}

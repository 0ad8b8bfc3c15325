package org.cabrank.bench.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.cabrank.bench.fixture.Once;
import org.cabrank.bench.report.profile.SlowRequest;
import org.cabrank.bench.report.profile.SlowRequest.Activity;
import org.cabrank.lf.Promotion;
import org.cabrank.stream.Backend;
import org.cabrank.stream.Connection;
import org.cabrank.stream.StreamServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A recording of a pool whose handler blocks until a follower has taken over: the order of events is certain. */
@Once
@Timeout(300)
final class PoolRecordingTest {

    @TempDir
    Path directory;

    private static final Duration MAX_GAP = Duration.ofMillis(10);

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /** {@code x} blocks its thread until it is released. */
    private void handle(Connection connection, ByteBuffer data) throws InterruptedException {
        if (data.get(0) == 'x') {
            begun.countDown();
            released.await();
        }
        connection.write(data);
    }

    private static void exchange(Socket client, int request) throws IOException {
        client.getOutputStream().write(request);
        assertEquals(request, client.getInputStream().read());
    }

    @Test
    void theSlowestRequestOfARecordingShowsWhoTookOver() throws Exception {
        Path file = directory.resolve("pools.jfr");
        PoolRecording recording = new PoolRecording();
        try (StreamServer server = StreamServer.builder()
                        .listen(new InetSocketAddress("127.0.0.1", 0))
                        .backend(Backend.named("epoll"))
                        .shards(1)
                        .threadsPerShard(2)
                        .promotion(Promotion.deferred(MAX_GAP))
                        .handler(() -> this::handle)
                        .start();
                Socket blocked = new Socket();
                Socket other = new Socket()) {
            blocked.connect(server.localAddress());
            other.connect(server.localAddress());
            exchange(other, 'a'); // accepting is not in the recording
            exchange(blocked, 'a');
            long startNs = System.nanoTime();
            assertEquals(CpuProfiler.DONE, recording.obey(PoolRecording.START));
            exchange(blocked, 'a'); // the wait that began before the recording is over
            long beforeNs = System.nanoTime() - startNs;
            blocked.getOutputStream().write('x');
            begun.await();
            long begunNs = System.nanoTime();
            do {
                exchange(other, 'y'); // takes another thread
            } while (System.nanoTime() - begunNs < 2 * beforeNs); // no other handler has taken as long
            released.countDown();
            assertEquals('x', blocked.getInputStream().read());
        }
        assertEquals(CpuProfiler.DONE, recording.obey(PoolRecording.stop(file)));
        SlowRequest request = SlowestRequest.of(file, "slow", "cabrank").orElseThrow();
        List<String> story =
                request.moments().stream().map(SlowRequest.Moment::what).toList();
        int starts = indexOf(story, "starts the request's handler");
        int takesOver = indexOf(story, " takes over from ");
        assertTrue(story.get(0).contains("this request among them"), story::toString);
        assertTrue(0 < starts && starts < takesOver && takesOver < story.size() - 1, story::toString);
        assertEquals(2, request.lanes().size(), request.lanes()::toString);
        assertEquals(
                1,
                request.lanes().stream()
                        .filter(lane -> lane.spans().stream().anyMatch(span -> span.activity() == Activity.REQUEST))
                        .count());
    }

    private static int indexOf(List<String> story, String words) {
        for (int i = 0; i < story.size(); i++) {
            if (story.get(i).contains(words)) {
                return i;
            }
        }
        return -1;
    }

    @Test
    void aRecordingThatWasNotStartedIsNotWritten() {
        String answer = new PoolRecording().obey(PoolRecording.stop(directory.resolve("none.jfr")));
        assertTrue(answer.startsWith(CpuProfiler.REFUSED), answer);
    }
}

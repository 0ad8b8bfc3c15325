package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ScheduledTask;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;

/** Tasks that a service schedules for a connection. */
public abstract class ScheduleContract extends StreamContract {
    private static final Duration SHORT = Duration.ofMillis(2);

    /** Waits for a task of this connection that is due after several periods. */
    private static void awaitPeriods(Connection connection) throws Exception {
        CountDownLatch passed = new CountDownLatch(1);
        connection.schedule(SHORT.multipliedBy(5), passed::countDown);
        passed.await();
    }

    @Test
    void tasksRunAsCallbacksOfTheConnection() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> connection.write(data));
        TestClient client = client(serve(recorder));
        Connection connection = recorder.connection();
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(5);
        ScheduledTask every = connection.scheduleEvery(SHORT, SHORT, recorder.task(() -> {
            assertTrue(connection.isInCallback());
            runs.incrementAndGet();
            done.countDown();
        }));
        connection.schedule(SHORT, recorder.task(() -> connection.write(Recorder.bytes("once"))));
        client.expect("once");
        done.await();
        for (int i = 0; i < 100; i++) {
            client.send("x").expect("x");
        }
        CountDownLatch cancelled = new CountDownLatch(1);
        connection.execute(() -> {
            every.cancel();
            cancelled.countDown();
        });
        cancelled.await();
        int before = runs.get();
        awaitPeriods(connection);
        client.send("x").expect("x");
        assertEquals(before, runs.get());
        assertEquals(0, recorder.overlaps());
    }

    @Test
    void tasksWaitForOffloadedWorkAndEndWithTheConnection() throws Exception {
        LaterExecutor later = new LaterExecutor();
        Recorder recorder = new Recorder((connection, data) -> {
            data.position(data.limit());
            connection.offload(later, () -> "done", (own, text) -> own.write(Recorder.bytes(text)));
        });
        TestReactor reactor = start();
        Recorder other = new Recorder();
        client(reactor.listen(other));
        TestClient client = client(reactor.listen(recorder)).send("go");
        Await.until("it is offloaded", () -> recorder.count("data") == 1);
        AtomicInteger runs = new AtomicInteger();
        Connection connection = recorder.connection();
        ScheduledTask every = connection.scheduleEvery(SHORT, SHORT, runs::incrementAndGet);
        awaitPeriods(other.connection());
        assertEquals(0, runs.get());
        later.doNext();
        client.expect("done");
        Await.until("it runs", () -> runs.get() > 0);
        client.reset();
        recorder.awaitClosed();
        int last = runs.get();
        awaitPeriods(other.connection());
        assertEquals(last, runs.get());
        assertFalse(every.isActive());
    }

    @Test
    void tasksFollowTheConnectionToAnotherShard() throws Exception {
        Recorder recorder = new Recorder((connection, data) -> connection.write(data));
        TestReactor reactor = start(StreamReactor.builder().shards(2));
        SocketAddress address = reactor.listen(recorder);
        TestClient client = client(address).send("x").expect("x");
        Connection connection = recorder.connection();
        List<Integer> shards = new CopyOnWriteArrayList<>();
        connection.scheduleEvery(SHORT, SHORT, () -> shards.add(connection.shard()));
        int former = connection.shard();
        Await.until("it runs", () -> shards.contains(former));
        CountDownLatch once = new CountDownLatch(1);
        connection.schedule(Duration.ofMillis(100), once::countDown);
        assertTrue(connection.moveTo(1 - former).get());
        Await.until("it runs in the other shard", () -> shards.contains(1 - former));
        once.await();
        client.send("y").expect("y");
        assertEquals(0, reactor.failureCount());
    }
}

package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.junit.jupiter.api.Test;

/** Effects of slow and busy handlers on the other connections. */
public abstract class LeadershipContract extends StreamContract {

    @Test
    void promotedLeaderServesOthersWhileThisHandlerBlocks() throws Exception {
        assumeTrue(mode().threads() > 1, "with one thread there is nobody to promote");
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        TestReactor reactor = start();
        SocketAddress slow = reactor.listen((connection, data) -> {
            connection.promoteNewLeader();
            blocked.countDown();
            release.await();
            connection.write(data);
        });
        SocketAddress quick = reactor.listen((connection, data) -> connection.write(data));
        TestClient first = client(slow).send("slow");
        blocked.await();
        client(quick).send("quick").expect("quick");
        release.countDown();
        first.expect("slow");
    }

    /** Without a call of promoteNewLeader: the pool notices by itself. */
    @Test
    void handlerThatBlocksDoesNotKeepOthersFromBeingServed() throws Exception {
        assumeTrue(mode().threads() > 1, "with one thread there is nobody to take over");
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        TestReactor reactor = start();
        SocketAddress slow = reactor.listen((connection, data) -> {
            blocked.countDown();
            release.await();
            connection.write(data);
        });
        SocketAddress quick = reactor.listen((connection, data) -> connection.write(data));
        TestClient first = client(slow).send("slow");
        blocked.await();
        client(quick).send("quick").expect("quick");
        release.countDown();
        first.expect("slow");
    }

    @Test
    void promotingIsHarmlessWhereverItIsCalled() throws Exception {
        AtomicInteger calls = new AtomicInteger();
        ConnectionHandler handler = new ConnectionHandler() {
            @Override
            public void opened(Connection connection) {
                promote(connection);
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                promote(connection);
                connection.write(data);
                promote(connection);
            }

            @Override
            public void inputClosed(Connection connection, ByteBuffer unread) {
                promote(connection);
                connection.close();
            }

            @Override
            public void closed(Connection connection, Throwable cause) {
                promote(connection);
            }

            private void promote(Connection connection) {
                connection.promoteNewLeader();
                calls.incrementAndGet();
            }
        };
        TestReactor reactor = start();
        Recorder recorder = new Recorder(handler);
        TestClient client = client(reactor.listen(recorder)).send("x").expect("x");
        assertThrows(IllegalStateException.class, recorder.connection()::promoteNewLeader);
        client.endOutput().expectEnd();
        recorder.awaitClosed();
        recorder.connection().promoteNewLeader(); // the connection is gone, as in its last callback
        assertEquals(5, calls.get());
        assertEquals(0, reactor.failureCount());
    }

    /** One connection always has more for its thread to do; all other connections are served all the same. */
    @Test
    void connectionThatKeepsItselfBusyDoesNotStarveTheOthers() throws Exception {
        TestReactor reactor = start();
        AtomicInteger rounds = new AtomicInteger();
        Recorder busy = new Recorder(new ConnectionHandler() {
            private boolean over;

            @Override
            public void opened(Connection connection) {
                again(connection);
            }

            private void again(Connection connection) {
                rounds.incrementAndGet();
                if (!over) {
                    connection.execute(() -> again(connection));
                }
            }

            @Override
            public void data(Connection connection, ByteBuffer data) {
                over = true;
                connection.write(data);
            }
        });
        SocketAddress address = reactor.listen(busy);
        TestClient first = client(address);
        busy.connection();
        SocketAddress others = reactor.listen(
                TestReactor.loopback(0), AcceptMode.EXCLUSIVE, () -> (connection, data) -> connection.write(data));
        for (int i = 0; i < 5; i++) {
            client(others).send("x").expect("x");
        }
        int before = rounds.get();
        Await.until("the busy one goes on", () -> rounds.get() > before);
        first.send("stop").expect("stop");
    }
}

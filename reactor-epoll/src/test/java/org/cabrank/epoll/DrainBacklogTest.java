package org.cabrank.epoll;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.cabrank.kernel.ForwardingKernel;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.StreamContract;
import org.cabrank.stream.contract.TestClient;
import org.cabrank.stream.contract.TestReactor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A drain whose only thread is blocked. */
@Tag("newest") // on an older JDK in a soak only
class DrainBacklogTest extends StreamContract {
    private final List<Integer> backlogs = new CopyOnWriteArrayList<>();

    @Override
    protected ReactorMode mode() {
        return EpollModes.plain(new ForwardingKernel(TestKernel.any()) {
            @Override
            public int listen(int fd, int backlog) {
                int result = super.listen(fd, backlog);
                backlogs.add(backlog);
                return result;
            }
        });
    }

    @Test
    void drainStopsFillingTheBacklogThoughTheOnlyThreadIsBlocked() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        TestReactor reactor = start();
        TestClient client = client(reactor.listen((connection, data) -> {
            inside.countDown();
            release.await();
            connection.write(data);
        }));
        client.send("x");
        inside.await();
        Thread closing = new Thread(reactor.reactor()::close, "closes");
        closing.start();
        try {
            Await.until("the backlog is closed", () -> backlogs.contains(0));
        } finally {
            release.countDown();
        }
        client.expectToEnd("x");
        closing.join();
    }
}

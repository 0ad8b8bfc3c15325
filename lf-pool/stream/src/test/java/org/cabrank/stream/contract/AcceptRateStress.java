package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.lf.fixture.TestThread;
import org.cabrank.stream.AcceptRate;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.ListenerCounters;
import org.junit.jupiter.api.Test;

/** A thousand connects against an accept rate, and more in a soak: each is served, and never more than the rate allows. */
public abstract class AcceptRateStress extends StreamContract {
    private static final int CLIENTS = 4;
    private static final int ROUNDS = Modes.isSoak() ? 15 : 5;
    private static final int CONNECTIONS = 50;

    @Test
    void eachOfManyConnectsIsServedAtTheRate() throws Exception {
        AcceptRate rate = new AcceptRate(6_000, 40);
        TestReactor reactor = start();
        long begunNs = System.nanoTime();
        Listener limited = reactor.listener(
                ListenOptions.DEFAULT.withAcceptRate(rate), () -> (connection, data) -> connection.write(data));
        List<TestThread> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(TestThread.start("connects " + i, () -> connectAll(limited)));
        }
        for (TestThread client : clients) {
            client.join();
        }
        ListenerCounters counters = limited.counters();
        double allowed = rate.burst() + rate.perSecond() * (System.nanoTime() - begunNs) / 1e9;
        assertEquals(CLIENTS * ROUNDS * CONNECTIONS, counters.accepted());
        assertEquals(0, counters.overLimit() + counters.refused() + counters.acceptFailures());
        assertTrue(counters.accepted() <= allowed, counters.accepted() + " accepted, " + allowed + " allowed");
    }

    private void connectAll(Listener limited) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            List<TestClient> standing = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                standing.add(mode().connect(limited.address()));
            }
            for (TestClient each : standing) {
                each.send("hello").expect("hello");
            }
            for (TestClient each : standing) {
                each.reset(); // so that no port is left in TIME_WAIT
            }
        }
    }
}

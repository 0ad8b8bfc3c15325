package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.AcceptRate;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ListenOptions;
import org.cabrank.stream.Listener;
import org.cabrank.stream.ListenerCounters;
import org.cabrank.stream.StreamReactor;
import org.junit.jupiter.api.Test;

/** The rate at which a listener accepts: connections beyond it wait, and none is refused or lost. */
public abstract class AcceptRateContract extends StreamContract {
    private static final ConnectionHandler ECHO = (connection, data) -> connection.write(data);
    private static final int SHARDS = 2;
    private static final double NS_PER_S = 1e9;

    /** So slow that the test would wait for minutes if a connection waited. */
    private static final ListenOptions SLOW = ListenOptions.DEFAULT.withAcceptRate(AcceptRate.perSecond(1));

    @Test
    void connectionsBeyondTheRateWaitAndAreServed() throws Exception {
        AcceptRate rate = new AcceptRate(100, 3);
        TestReactor reactor = start(StreamReactor.builder().shards(SHARDS));
        List<Long> servedNs = new CopyOnWriteArrayList<>();
        long begunNs = System.nanoTime(); // before the bucket is filled: the bound holds for certain
        Listener limited = reactor.listener(ListenOptions.DEFAULT.withAcceptRate(rate), () -> {
            servedNs.add(System.nanoTime());
            return ECHO;
        });
        Listener other = reactor.listener(ListenOptions.DEFAULT, () -> ECHO);
        List<TestClient> clients = new ArrayList<>();
        limited.pause(); // so that all come at once, however slow this thread is: more than a full bucket
        for (int i = 0; i < 12; i++) {
            clients.add(client(limited.address()).send("x"));
        }
        limited.resume();
        for (int i = 0; i < clients.size(); i++) {
            client(other.address()).send("y").expect("y");
        }
        for (TestClient client : clients) {
            client.expect("x").send("still").expect("still");
        }
        List<Long> sorted = servedNs.stream().sorted().toList();
        assertEquals(clients.size(), sorted.size());
        for (int i = 0; i < sorted.size(); i++) {
            double allowed = rate.burst() + rate.perSecond() * (sorted.get(i) - begunNs) / NS_PER_S;
            assertTrue(i + 1 <= allowed, (i + 1) + " served, " + allowed + " allowed");
        }
        ListenerCounters counters = limited.counters();
        assertEquals(clients.size(), counters.accepted());
        assertEquals(0, counters.overLimit() + counters.refused() + counters.acceptFailures());
        assertTrue(counters.ratePauses() > 0, counters::toString);
        assertEquals(counters.ratePauses(), reactor.reactor().counters().ratePauses());
        assertEquals(0, other.counters().ratePauses());
    }

    /** A bucket that is empty holds nobody up who does not come. */
    @Test
    void pauseDuringWhichNobodyWaitsIsNotCounted() throws Exception {
        TestReactor reactor = start();
        Listener limited = reactor.listener(SLOW, () -> ECHO);
        client(limited.address()).send("x").expect("x");
        assertEquals(new ListenerCounters(1, 0, 0, 0, 0), limited.counters());
    }

    @Test
    void drainServesWhatWaitsForTheRate() throws Exception {
        TestReactor reactor = start();
        List<TestClient> clients = connect(reactor.listener(SLOW, () -> ECHO));
        Thread closing = new Thread(reactor.reactor()::close);
        closing.start();
        for (TestClient client : clients) {
            client.expect("x").expectEnd();
            client.close();
        }
        closing.join();
    }

    @Test
    void closeOfTheListenerServesWhatWaitsForTheRate() throws Exception {
        TestReactor reactor = start();
        Listener limited = reactor.listener(SLOW, () -> ECHO);
        List<TestClient> clients = connect(limited);
        limited.close();
        for (TestClient client : clients) {
            client.expect("x");
        }
        limited.closed().get();
        assertEquals(clients.size(), limited.counters().accepted());
    }

    private List<TestClient> connect(Listener listener) throws Exception {
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            clients.add(client(listener.address()).send("x"));
        }
        Await.until("one is served", () -> listener.counters().accepted() > 0);
        return clients;
    }

    @Test
    void listenerMayBePausedWhileConnectionsWaitForTheRate() throws Exception {
        TestReactor reactor = start();
        Listener limited = reactor.listener(ListenOptions.DEFAULT.withAcceptRate(new AcceptRate(50, 1)), () -> ECHO);
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            clients.add(client(limited.address()).send("x"));
            limited.pause();
            limited.resume();
        }
        for (TestClient client : clients) {
            client.expect("x");
        }
        assertEquals(5, limited.counters().accepted());
    }
}

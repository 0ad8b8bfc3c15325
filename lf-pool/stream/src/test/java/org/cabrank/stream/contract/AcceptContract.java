package org.cabrank.stream.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.observe.ThreadStatus;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.ShardCounters;
import org.junit.jupiter.api.Test;

/** Distribution of the connections of one address over two shards. */
public abstract class AcceptContract extends StreamContract {
    private static final int CLIENTS = 40;

    /** Answers with the number of the shard that serves. */
    private static final ConnectionHandler NAMES_SHARD = (connection, data) -> {
        data.position(data.limit());
        connection.write(Recorder.bytes(shard()));
    };

    private static String shard() {
        return Thread.currentThread().getName().replaceAll(".*-s(\\d+)-\\d+", "$1");
    }

    private List<TestClient> clients(SocketAddress address, int count) throws IOException {
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(client(address));
        }
        return clients;
    }

    /** Each is answered before the next one connects: shards that accept at the same moment do not see each other's choice. */
    private List<TestClient> clientsInTurn(SocketAddress address, int count) throws IOException {
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TestClient client = client(address);
            client.send("?").read(1);
            clients.add(client);
        }
        return clients;
    }

    /** Number of clients that each shard serves; all of them have been answered. */
    private static Map<String, Integer> served(List<TestClient> clients) throws IOException {
        Map<String, Integer> served = new HashMap<>();
        for (TestClient client : clients) {
            served.merge(new String(client.send("?").read(1)), 1, Integer::sum);
        }
        return served;
    }

    @Test
    void everyConnectionIsServedByOneShardAsTheModeSays() throws Exception {
        TestReactor reactor = start();
        List<TestClient> clients = clientsInTurn(reactor.listen(NAMES_SHARD), CLIENTS);
        Map<String, Integer> first = served(clients);
        assertEquals(CLIENTS, first.values().stream().mapToInt(count -> count).sum());
        assertTrue(List.of("0", "1").containsAll(first.keySet()), first::toString);
        assertEquals(first, served(clients), "each stays where it is");
        switch (mode().accept()) {
            case DISPATCH -> assertEquals(Map.of("0", CLIENTS / 2, "1", CLIENTS / 2), first);
            case REUSEPORT, DISPATCH_HASH -> // all in one is out of the question
                assertEquals(List.of("0", "1"), first.keySet().stream().sorted().toList());
            default -> { // by who is awake, or by CPU
            }
        }
        assertEquals(CLIENTS, reactor.reactor().counters().opened());
    }

    /** A shard that has lost connections is the least loaded, and gets what comes until it is not. */
    @Test
    void dispatchFillsWhatHasBecomeEmpty() throws Exception {
        if (mode().accept() != AcceptMode.DISPATCH) {
            return;
        }
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(NAMES_SHARD);
        List<TestClient> clients = clientsInTurn(address, 20);
        List<TestClient> stay = new ArrayList<>();
        int ended = 0;
        for (TestClient client : clients) {
            if (client.send("?").read(1)[0] == '0') {
                client.endOutput().expectEnd();
                ended++;
            } else {
                stay.add(client);
            }
        }
        reactor.awaitClosed(ended);
        assertEquals(Map.of("0", 10), served(clientsInTurn(address, 10)));
        assertEquals(Map.of("1", 10), served(stay));
    }

    /** Handed over while threads of one shard or both are busy: opened and answered when they are not. */
    @Test
    void connectionsHandedToABusyShardAreNotLost() throws Exception {
        CountDownLatch busy = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        TestReactor reactor = start();
        SocketAddress address = reactor.listen((connection, data) -> {
            if (data.get(data.position()) == 's') {
                busy.countDown();
                release.await();
            }
            NAMES_SHARD.data(connection, data);
        });
        List<TestClient> slow = clients(address, 2 * mode().threads());
        served(slow);
        for (TestClient client : slow) {
            client.send("s");
        }
        busy.await();
        List<TestClient> later = clients(address, CLIENTS);
        for (TestClient client : later) {
            client.send("?");
        }
        release.countDown();
        for (TestClient client : later) {
            client.read(1);
        }
        for (TestClient client : slow) {
            client.read(1);
        }
        assertEquals(0, reactor.failureCount());
    }

    @Test
    void closeAnswersWhatBothShardsHaveReceived() throws Exception {
        TestReactor reactor = start();
        SocketAddress address = reactor.listen((connection, data) -> connection.write(data));
        List<TestClient> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(client(address).send("in flight " + i));
        }
        CompletableFuture<Void> closed =
                CompletableFuture.runAsync(reactor::close, runnable -> new Thread(runnable).start());
        for (int i = 0; i < clients.size(); i++) {
            clients.get(i).expectToEnd("in flight " + i).close();
        }
        closed.get();
        assertEquals(CLIENTS, reactor.reactor().counters().opened());
    }

    /** Neither the accepting shard nor the one that was meant to serve may keep the descriptor. */
    @Test
    void supplierThatThrowsCostsTheConnectionItsDescriptorAndNothingElse() throws Exception {
        AtomicReference<RuntimeException> failure =
                new AtomicReference<>(new IllegalStateException("no handler today"));
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(() -> {
            RuntimeException due = failure.getAndSet(null);
            if (due != null) {
                throw due;
            }
            return NAMES_SHARD;
        });
        client(address).expectEnd();
        assertEquals(1, served(clients(address, 1)).size());
        // The peer sees its end before the failure is counted, and the other shard may be quicker.
        Await.until("the failure to be counted", () -> reactor.failureCount() == 1);
    }

    /** An error is no different from an exception: the listener stays, the thread lives on, and the connection is refused. */
    @Test
    void errorsOfTheSupplierCostTheirConnectionsOnly() throws Exception {
        Queue<Supplier<Error>> errors = new ConcurrentLinkedQueue<>(List.of(
                AcceptContract::overflow,
                () -> new OutOfMemoryError("unable to create native thread: thrown by a supplier on purpose"),
                () -> new NoClassDefFoundError("thrown by a supplier on purpose"),
                () -> new InternalError("thrown by a supplier on purpose")));
        int count = errors.size();
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(() -> {
            Supplier<Error> due = errors.poll();
            if (due != null) {
                throw due.get();
            }
            return NAMES_SHARD;
        });
        Set<String> threads = threads(reactor);
        for (int i = 0; i < count; i++) {
            client(address).expectEnd();
        }
        assertEquals(
                4,
                served(clients(address, 4)).values().stream()
                        .mapToInt(each -> each)
                        .sum());
        Await.until("the refused connections are counted", () -> refused(reactor) == count);
        assertEquals(threads, threads(reactor));
    }

    /** Overflows the stack of the caller. */
    private static Error overflow() {
        return new Error(overflow());
    }

    private static Set<String> threads(TestReactor reactor) {
        return reactor.reactor().pools().stream()
                .flatMap(pool -> pool.threads().stream())
                .map(ThreadStatus::name)
                .collect(Collectors.toSet());
    }

    private static long refused(TestReactor reactor) {
        return reactor.reactor().shardCounters().stream()
                .mapToLong(ShardCounters::refused)
                .sum();
    }

    /** {@link Connection#id} is of the process: shards do not give the same twice. */
    @Test
    void idsOfConnectionsOfDifferentShardsDiffer() throws Exception {
        List<Recorder> recorders = new CopyOnWriteArrayList<>();
        TestReactor reactor = start();
        SocketAddress address = reactor.listen(() -> {
            Recorder recorder = new Recorder((connection, data) -> connection.write(data));
            recorders.add(recorder);
            return recorder;
        });
        for (TestClient client : clients(address, CLIENTS)) {
            client.send("x").expect("x");
        }
        assertEquals(
                CLIENTS,
                recorders.stream()
                        .map(recorder -> recorder.connectionNow().id())
                        .distinct()
                        .count());
    }
}

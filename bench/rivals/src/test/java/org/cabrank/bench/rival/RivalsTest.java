package org.cabrank.bench.rival;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.Contenders;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.RunningServer;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.contender.ServerSockets;
import org.cabrank.bench.contender.Servers;
import org.cabrank.bench.fixture.NewestJdk;
import org.cabrank.bench.handler.SlowRequests;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Sockets and blocking handlers of the frameworks. */
@Timeout(300)
final class RivalsTest {

    private static final String REQUEST = "GET / HTTP/1.1\r\nHost: bench\r\n\r\n";
    private static final int CLIENTS = 4;
    private static final long SLOW_NS = 250_000_000L;

    /** Named bound: tries, because a machine that stands still delays the answers of one. */
    private static final int TRIES_MAX = 10;

    static Stream<Arguments> each() {
        return RivalServers.each();
    }

    /** Returns all contenders but {@code jdk-httpserver}, whose handlers run in the selector's thread. */
    static Stream<Arguments> thoseWithThreadsForHandlers() {
        return each().filter(arguments -> !arguments.get()[0].equals("jdk-httpserver"));
    }

    static Stream<String> names() {
        return RivalServers.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyContenderSaysWhatWasTuned(String name) {
        assertTrue(Contenders.named(name).tuning().contains("TCP_NODELAY, backlog 1024"));
    }

    /** On JDK 17 contenders that need a later one are unavailable, with that reason. */
    @ParameterizedTest
    @MethodSource("names")
    void aContenderThatNeedsALaterJdkIsUnavailable(String name) throws Exception {
        boolean needsLater = List.of("grizzly", "helidon", "jdk-virtual-httpserver", "robaho-httpserver")
                .contains(name);
        Contender contender = Contenders.named(name);
        if (needsLater && Runtime.version().feature() < 21) {
            ContenderUnavailableException refused =
                    assertThrows(ContenderUnavailableException.class, contender::libraries);
            assertTrue(refused.getMessage().contains("JDK 21 or later"), refused.getMessage());
            assertThrows(ContenderUnavailableException.class, () -> contender.start(Servers.settings(Protocol.HTTP)));
        } else {
            assertEquals(List.of(), contender.libraries()); // the class path of tests has them
        }
    }

    @NewestJdk
    @ParameterizedTest
    @MethodSource("each")
    void everyoneListensAndAcceptsAlike(String name, Protocol protocol) throws Exception {
        try (RunningServer server = Servers.start(name, Servers.settings(protocol));
                Socket client = Servers.connect(server, protocol)) {
            ask(client, protocol);
            answer(client, protocol); // accepted, and set up
            new ServerSockets().assertAsOfEveryContender(server.address().getPort());
        }
    }

    @NewestJdk
    @ParameterizedTest
    @MethodSource("thoseWithThreadsForHandlers")
    void handlersThatBlockDoNotWaitForEachOther(String name, Protocol protocol) throws Exception {
        ServerSettings settings = new ServerSettings(new SlowRequests(1_000, SLOW_NS), CLIENTS).withProtocol(protocol);
        List<Socket> clients = new ArrayList<>();
        try (RunningServer server = Servers.start(name, settings)) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(Servers.connect(server, protocol));
            }
            boolean together = false;
            for (int tries = 0; tries < TRIES_MAX && !together; tries++) {
                together =
                        askedAtOnceNs(clients, protocol) < CLIENTS * SLOW_NS; // one after another takes that at least
            }
            assertTrue(together);
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }

    /** Asks by all clients, and returns the time in ns until all have their answers. */
    private static long askedAtOnceNs(List<Socket> clients, Protocol protocol) throws IOException {
        long startNs = System.nanoTime();
        for (Socket client : clients) {
            ask(client, protocol);
        }
        for (Socket client : clients) {
            String answer = answer(client, protocol);
            assertTrue(protocol == Protocol.ECHO || answer.endsWith("Hello, world!"), answer); // marked as slow
        }
        long tookNs = System.nanoTime() - startNs;
        assertTrue(tookNs >= SLOW_NS, tookNs + " ns");
        return tookNs;
    }

    private static void ask(Socket client, Protocol protocol) throws IOException {
        String request = protocol == Protocol.ECHO ? "*" : REQUEST;
        client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    }

    private static String answer(Socket client, Protocol protocol) throws IOException {
        if (protocol == Protocol.ECHO) {
            assertEquals('*', client.getInputStream().read());
            return "*";
        }
        StringBuilder answer = new StringBuilder();
        int end = -1;
        while (end < 0 || answer.length() < end + "\r\n\r\nHello, World!".length()) {
            int next = client.getInputStream().read();
            assertTrue(next >= 0, answer.toString());
            answer.append((char) next);
            end = answer.indexOf("\r\n\r\n");
        }
        return answer.toString();
    }
}

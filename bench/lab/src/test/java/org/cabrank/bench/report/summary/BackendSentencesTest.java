package org.cabrank.bench.report.summary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.cabrank.bench.report.ContenderKind;
import org.cabrank.bench.report.fixture.MadeUp;
import org.cabrank.bench.report.fixture.MadeUp.Server;
import org.junit.jupiter.api.Test;

final class BackendSentencesTest {

    private static final Server NETTY = new Server(MadeUp.BASELINE, ContenderKind.JAVA, 1, 0.6, 1);
    private static final Server CONTROL = new Server(MadeUp.CONTROL, ContenderKind.CONTROL, 1, 0.6, 1);

    private static List<String> sentences(Server... own) {
        Server[] all = Stream.concat(Stream.of(own), Stream.of(NETTY, CONTROL)).toArray(Server[]::new);
        return BackendSentences.of(
                new MadeUp(1, all).answersKept(20).report(MadeUp.scenarios().subList(0, 1)));
    }

    private static Server cabrank(String backend, double speed) {
        return new Server("cabrank-" + backend, ContenderKind.CABRANK, speed, 0.6, 1);
    }

    @Test
    void aFasterBackendIsNamedWithItsFactorAndBothAreComparedWithNetty() {
        List<String> sentences = sentences(cabrank("epoll-1", 1), cabrank("iouring", 1.4));
        assertEquals(3, sentences.size(), sentences::toString);
        assertTrue(
                sentences
                        .get(0)
                        .matches(
                                "On this machine io_uring reaches 1\\.[34].* × epoll's requests/s in .*; .* is better in .*"),
                sentences::toString);
        assertTrue(
                sentences.get(1).startsWith("Cabrank over epoll and Netty differ by less than 5 % in "),
                sentences::toString);
        assertTrue(sentences.get(2).startsWith("Cabrank over io_uring reaches 1."), sentences::toString);
    }

    @Test
    void equalBackendsDoNotDiffer() {
        String first = sentences(cabrank("epoll-1", 1), cabrank("iouring", 1)).get(0);
        assertTrue(first.startsWith("On this machine io_uring and epoll differ by less than 5 % in "), first);
    }

    @Test
    void oneBackendAloneIsComparedWithNettyOnly() {
        assertEquals(1, sentences(cabrank("epoll-1", 1)).size());
    }
}

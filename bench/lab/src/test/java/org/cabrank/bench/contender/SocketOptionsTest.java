package org.cabrank.bench.contender;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.NewestJdk;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Asks the kernel what each server has set: a contender that forgets one is not comparable. */
@Timeout(300)
@NewestJdk
final class SocketOptionsTest {

    static Stream<String> inThisProcess() {
        return Contenders.names().stream().filter(name -> !isNative(name));
    }

    static Stream<String> programs() {
        return Contenders.names().stream().filter(SocketOptionsTest::isNative);
    }

    private static boolean isNative(String name) {
        return Contenders.named(name) instanceof NativeContender;
    }

    @ParameterizedTest
    @MethodSource("inThisProcess")
    void everyoneListensAndAcceptsAlike(String name) throws Exception {
        try (RunningServer server = Servers.start(name, ServerSettings.DEFAULT);
                Socket client = new Socket(
                        server.address().getAddress(), server.address().getPort())) {
            client.getOutputStream().write(42);
            assertEquals(42, client.getInputStream().read()); // accepted, and set up
            new ServerSockets().assertAsOfEveryContender(server.address().getPort());
        }
    }

    /**
     * The test cannot query the sockets of a program; the program itself ends if it cannot set TCP_NODELAY on its listening
     * socket.
     */
    @ParameterizedTest
    @MethodSource("programs")
    void aProgramListensLikeEveryoneElse(String name) throws Exception {
        assumeTrue(Programs.onPath("ss"), "ss is not on the PATH: apt-get install iproute2");
        try (RunningServer server = Servers.start(name, ServerSettings.DEFAULT)) {
            Process ss = new ProcessBuilder(
                            "ss", "-Hltn", "sport = :" + server.address().getPort())
                    .start();
            String line = new String(ss.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            assertEquals(0, ss.waitFor());
            assertEquals(String.valueOf(ContenderSockets.BACKLOG), line.split("\\s+")[2], line);
        }
    }
}

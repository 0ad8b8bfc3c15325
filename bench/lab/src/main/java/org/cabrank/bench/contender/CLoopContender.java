package org.cabrank.bench.contender;

import java.io.IOException;
import java.util.List;

/** A server in C, which is compiled on this machine. Its figures show the limit that the kernel sets. */
final class CLoopContender implements NativeContender {

    private final String name;
    private final String source;
    private final String datagramSource;
    private final List<String> tuning;

    /** @param datagramSource source of the program that serves datagrams. Null if the contender serves no datagrams. */
    private CLoopContender(String name, String source, String datagramSource, List<String> tuning) {
        this.name = name;
        this.source = source;
        this.datagramSource = datagramSource;
        this.tuning = tuning;
    }

    static Contender epoll() {
        return new CLoopContender(
                "c-epoll",
                "epoll_echo.c",
                "epoll_datagrams.c",
                List.of(
                        "gcc -O2",
                        "one thread",
                        "edge-triggered, registered once per connection",
                        "one buffer for all connections",
                        "a short read is the last one: one recv and one send per request",
                        "datagrams: level-triggered, recvmmsg and sendmmsg of up to " + ContenderSockets.DATAGRAM_BATCH
                                + ", sent from the memory in which they came",
                        ContenderSockets.DATAGRAM_TUNING,
                        ContenderSockets.TUNING));
    }

    static Contender ioUring() {
        return new CLoopContender(
                "c-iouring",
                "iouring_echo.c",
                null,
                List.of(
                        "gcc -O2",
                        "one thread",
                        "raw system calls: single issuer, deferred task running, registered ring",
                        "multishot accept and recv into one ring of provided buffers, sent from there",
                        "one system call for all that a round of completions leads to",
                        ContenderSockets.TUNING));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean serves(Protocol protocol) {
        return protocol == Protocol.ECHO || !protocol.connects() && datagramSource != null;
    }

    @Override
    public List<String> tuning() {
        return tuning;
    }

    @Override
    public List<String> command(ServerSettings settings) throws IOException {
        ContenderUnavailableException.throwUnless(this, settings.protocol());
        return List.of(
                CProgram.compiled(settings.protocol().connects() ? source : datagramSource)
                        .toString(),
                "backlog=" + ContenderSockets.BACKLOG,
                "slow-permille=" + settings.slow().permille(),
                "slow-time-ns=" + settings.slow().timeNs(),
                "segments=" + (settings.protocol() == Protocol.DATAGRAM_SEGMENTS ? 1 : 0));
    }
}

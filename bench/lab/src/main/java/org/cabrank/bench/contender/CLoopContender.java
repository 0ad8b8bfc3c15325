package org.cabrank.bench.contender;

import java.io.IOException;
import java.util.List;

/** The limit: a loop in C with nothing between it and the kernel, compiled on this machine. */
final class CLoopContender implements NativeContender {

    private final String name;
    private final String source;
    private final List<String> tuning;

    private CLoopContender(String name, String source, List<String> tuning) {
        this.name = name;
        this.source = source;
        this.tuning = tuning;
    }

    static Contender epoll() {
        return new CLoopContender(
                "c-epoll",
                "epoll_echo.c",
                List.of(
                        "gcc -O2",
                        "one thread",
                        "edge-triggered, registered once per connection",
                        "one buffer for all connections",
                        "a short read is the last one: one recv and one send per request",
                        ContenderSockets.TUNING));
    }

    static Contender ioUring() {
        return new CLoopContender(
                "c-iouring",
                "iouring_echo.c",
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
    public List<String> tuning() {
        return tuning;
    }

    @Override
    public List<String> command(ServerSettings settings) throws IOException {
        ContenderUnavailableException.throwUnless(this, settings.protocol());
        return List.of(
                CProgram.compiled(source).toString(),
                "backlog=" + ContenderSockets.BACKLOG,
                "work-ns=" + settings.workNs(),
                "slow-permille=" + settings.slow().permille(),
                "slow-time-ns=" + settings.slow().timeNs());
    }
}

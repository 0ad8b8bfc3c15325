package org.cabrank.bench.contender;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The server that Redis clients were made for: written in C, one thread. Writes nothing to disk here. */
final class RedisServerContender implements NativeContender {
    private static final String PROGRAM = "redis-server";

    /**
     * Reports when the server accepts, as contenders do, and ends the server when this process has ended. The shell becomes the server,
     * so that the pid is the server's. $1 is the port, $2 the program, $3 its directory.
     */
    private static final String SCRIPT =
            """
            exec 4<&0
            set -- "$@" "${%s:-127.0.0.1}"
            (while read -r line; do :; done <&4; kill $$) 2>/dev/null &
            (until (exec 3<>"/dev/tcp/$4/$1") 2>/dev/null; do sleep 0.005; done
             echo "%s$4:$1 $("$2" --version)") &
            exec "$2" --port "$1" --bind "$4" --tcp-backlog %d --save '' --appendonly no --daemonize no \
                --enable-debug-command yes --loglevel warning --dir "$3" >/dev/null 4<&-
            """.formatted(ContenderSockets.ADDRESS_VARIABLE, ContenderProcess.LISTENING, ContenderSockets.BACKLOG);

    @Override
    public String name() {
        return PROGRAM;
    }

    @Override
    public boolean serves(Protocol protocol) {
        return protocol == Protocol.RESP;
    }

    @Override
    public List<String> tuning() {
        return List.of("written in C", "one thread for commands", "--save '' --appendonly no", ContenderSockets.TUNING);
    }

    @Override
    public List<String> command(ServerSettings settings) throws IOException {
        ContenderUnavailableException.throwUnless(this, settings.protocol());
        Path program = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, PROGRAM))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new ContenderUnavailableException("no redis-server: apt-get install redis-server"));
        return List.of(
                "bash",
                "-c",
                SCRIPT,
                PROGRAM,
                String.valueOf(freePort()),
                program.toString(),
                System.getProperty("java.io.tmpdir"));
    }

    /** Returns a port that nothing listens at: redis-server does not tell the one that the kernel would choose. */
    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return probe.getLocalPort();
        }
    }
}

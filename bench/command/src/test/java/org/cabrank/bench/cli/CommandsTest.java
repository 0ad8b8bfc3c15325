package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Set;
import java.util.TreeSet;
import org.cabrank.bench.fixture.NewestJdk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

@NewestJdk
final class CommandsTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "bogus | there is no command 'bogus': there is serve, load, bench, topology, doctor",
                "serve | a protocol is missing: echo or http",
                "serve gopher | there is no command 'gopher': there is echo, http",
                "serve echo --bogus | '--bogus'",
                "serve echo --backendd epoll | did you mean --backend?",
                "load --conections 4 | did you mean --connections?",
                "topolgy | did you mean topology?",
                "serve echo extra | 'extra'",
                "serve echo --listen 7000 | expected HOST:PORT",
                "serve echo --listen 127.0.0.1:99999 | the port is not in 0 to 65535",
                "serve echo --shards | '--shards'",
                "serve echo --shards x | 'x' is not an int",
                "serve echo --shards 0 | shards must be from 1",
                "serve echo --shards 2 --set serve.sharedThreads=1 | --set serve.sharedThreads must be at least the number of shards, 2",
                "serve echo --threads-per-shard 3 --set serve.sharedThreads=3 | exclude each other",
                "serve echo --threads-per-shard 0 | threads must be from 1",
                "serve echo --backend kqueue | expected one of auto, iouring, epoll but was 'kqueue'",
                "serve echo --promotion late | expected one of eager, deferred but was 'late'",
                "serve echo --order random | expected one of lifo, fifo, any, priority but was 'random'",
                "serve echo --max-gap 1ms --promotion eager | --max-gap is for --promotion deferred",
                "serve echo --set serve.acceptRate=1000001 | --set serve: acceptRate must be from 0 to 1,000,000, but is 1000001",
                "serve http --max-connections 0 | --max-connections must be at least 1, but is 0",
                "serve echo --set serve.connectionsPerPeerMax=-1 | --set serve: connectionsPerPeerMax must be from 0 to 2,147,483,647",
                "serve http --set http.head=1us | --set http: the head time-out must be from 1ms to a year, or 0 for never, but is 1us",
                "serve echo --set timeout.close=1us | --set timeout: the close time-out must be from 1ms to a year, or 0 for never, but is 1us",
                "serve http --set timeout.closeTotal=1us | --set timeout: the closeTotal time-out must be from 1ms to a year",
                "serve http --set http.body=soon | --set http.body: 'soon' is not a duration",
                "serve http --set http.answers=1us | --set http: the answers time-out must be from 1ms to a year, or 0 for never",
                "serve echo --max-gap 200 | expected a number with a unit",
                "serve echo --max-gap 1min | maxGap must be from 10us to 1s",
                "serve echo --promotion eager --max-gap 1ms | leave it out",
                "serve echo --deactivation none | expected one of claim, oneshot but was 'none'",
                "serve echo --wait sleep | expected one of block, spin, busy but was 'sleep'",
                "serve echo --accept all | expected one of exclusive, reuseport, reuseport-cpu, dispatch, dispatch-hash,"
                        + " dispatch-cpu but was 'all'",
                "serve echo --cpus a | right would be 0-3,8",
                "serve echo --set serve.scheduling=urgent | 'urgent' is no scheduling policy: write nice:-20 to nice:19",
                "serve echo --set serve.scheduling=fifo:100 | fifo goes from 1 to 99",
                "serve echo --set serve.scheduling=fifo:1 --wait busy | nothing else would run on its CPUs",
                "serve echo --cpus , | right would be 0-3,8",
                "serve echo --placement core | right would be none, cores, smt",
                "serve echo --placement 3- | right would be 0-3,8",
                "serve echo --placement cores --cpus 0 | exclude each other",
                "serve echo --set serve.strictPlacement=true | is for --placement or --cpus",
                "bench --placement socket | right would be none, cores, smt",
                "serve echo --set serve.reserveCpus=host | is for --placement or --cpus",
                "serve echo --watchdog 0s | a watchdog's limit must be from 1ms to 1 day, but is 0ns",
                "serve echo --tls | Missing required parameter for option '--tls'",
                "serve echo --tls on | --tls takes self-signed or self-signed:FILE, but is 'on': for a certificate in a file use --tls-cert",
                "serve echo --tls-cert c.pem | add --tls-key FILE",
                "serve http --tls-key k.pem | add --tls-cert FILE",
                "serve echo --tls self-signed --tls-cert c.pem --tls-key k.pem | --tls self-signed and --tls-cert exclude",
                "serve echo --tls self-signed --tls-key k.pem | --tls self-signed and --tls-key exclude each other",
                "serve http --tls-client-ca c.pem | --tls-client-ca is for a server over TLS",
                "serve http --tls-cert /nonexistent/c.pem --tls-key k.pem | there is no file /nonexistent/c.pem",
                "serve echo --drain-timeout -1s | '-1s' is not a duration",
                "serve echo --live 99ms | --live must be from 100ms to 1min, but is 99ms",
                "serve echo --live 2min | --live must be from 100ms to 1min, but is 120s",
                "serve http --slow-permille 1001 | expected 0 to 1000",
                "bench blocking --slow-permille 0 | expected 1 to 1000",
                "serve echo --set ring.receiveBuffers=64 | --set ring.* is for --backend iouring: leave it out, or choose that",
                "serve echo --backend epoll --set ring.incremental=true | --set ring.* is for --backend iouring",
                "serve echo --set epoll.busyPoll=50us | --set epoll.* is for --backend epoll: leave it out, or choose",
                "serve echo --set rung.batch=1 | expected a name that begins with one of ring., epoll., timeout., http",
                "serve echo --set ring | '--set'",
                "serve echo --set http.head=1s | --set http.head is not for serve echo: leave it out",
                "serve http --set datagram.batch=8 | --set datagram.batch is not for serve http: leave it out",
                "serve echo --udp --set serve.acceptRate=8 | --set serve.acceptRate is not for echo --udp",
                "serve echo --udp --set datagram.batch=1025 | batch must be from 1 to 1024",
                "serve echo --backend iouring --set ring.buffers=1 | there are ring.submissionEntries (1024), ring.completion",
                "serve echo --backend epoll --set epoll.preferBusyPoll=true | preferBusyPoll needs a busyPoll:",
                "serve echo --backend epoll --set epoll.preferBusyPoll=yes | expected true or false but was 'yes'",
                "serve echo --backend epoll --set epoll.busyPoll=2s | busyPoll must be zero, or from 1us to 1s",
                "serve echo --backend iouring --set ring.submissionEntries=0 | submissionEntries must be from 1 to 32768, but is 0",
                "serve echo --backend iouring --set ring.receiveBuffers=x | expected a number but was 'x'",
                "serve echo --backend iouring --set ring.receiveBufferBytes=16kb | such as 512, 16k or 1m",
                "serve echo --backend iouring --set ring.batch=8 | a batch of more than 1 and a batchWait go",
                "load --connections 0 | connections is 0, expected 1 to 65536",
                "load --size 0 | size is 0, expected 1 to",
                "load --threads 65 | threads is 65, expected 1 to 64",
                "load --rate 0 | --rate is 0, expected 1 or more",
                "load --duration 0s | nothing would be measured",
                "load --pattern random-chunks --size 64 | leave out --size and --rate",
                "load --pattern random-chunks --rate 5 | leave out --size and --rate",
                "load --pattern bogus | expected one of ping-pong, streaming, random-chunks, churn, bursts",
                "load --depth 0 | depth is 0, expected 1 to 1024",
                "load --pattern churn --depth 2 | a depth goes with ping-pong and streaming",
                "load --idle 65537 | idle connections is 65537, expected 0 to 65536",
                "load --burst 2 | go with --pattern bursts",
                "load --pattern bursts --burst 0 | requests in a burst is 0, expected 1 to 1024",
                "load --pattern bursts --burst-interval 11s | interval of bursts in ns is 11000000000",
                "load --pattern bursts --rate 5 | bursts have a rate of their own",
                "load --pattern streaming --rate 5 | a rate goes with requests and answers",
                "load --tls-ca c.pem | --tls-ca is for --tls: leave it out, or add that",
                "load --tls-insecure | --tls-insecure is for --tls: leave it out, or add that",
                "load --tls --tls-ca c.pem --tls-insecure | exclude each other",
                "load --tls --tls-ca /nonexistent/c.pem | there is no file /nonexistent/c.pem",
                "load --connect here | expected HOST:PORT",
                "bench --contender netty | there are cabrank-epoll-1",
                "bench pong | there is no scenario 'pong': there are ping-pong",
                "bench --connections 0 | connections is 0, expected 1 to 65536",
                "bench --connections 1,two | 'two' is not an int",
                "bench --size 64,0 | size is 0, expected 1 to",
                "bench --size 1kb | such as 512, 16k or 1m",
                "bench --slices 0 | slices is 0, expected 1 to 1000",
                "bench --rounds 0 | rounds is 0, expected 1 to 1000",
                "bench --server-cpus 8000 | this process may use only",
                "bench --duration 0s | nothing would be measured",
                "bench --slow-permille -1 | expected 0 to 1000",
                "bench --threads-per-shard 0 | threads is 0, expected 1 to",
                "bench --shards 0 | --shards is 0, expected 1 or more",
                "bench --shards 1025 | shards is 1025, expected 1 to 1024",
                "bench --accept both | expected one of exclusive, reuseport, reuseport-cpu, dispatch",
                "bench --compare a.json b.json --quick | --compare takes two files and nothing else",
                "bench --compare a.json | '--compare'",
                "bench blocking --size 64 | have one size: leave out --size"
            })
    void aWrongCommandLineIsOneLineThatSaysWhatIsRight(String commandLine, String words) {
        assertEquals(2, execute(commandLine));
        assertEquals("", out.toString());
        assertEquals(1, err.toString().lines().count(), err.toString());
        assertTrue(err.toString().contains(words), err.toString());
        assertTrue(err.toString().contains("--help'"), err.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/proc", "/nonexistent/report.json"})
    void aReportThatCannotBeWrittenIsRefusedBeforeAnythingRuns(String file) {
        assertEquals(1, execute("bench --json " + file));
        assertEquals("", out.toString());
        assertTrue(err.toString().contains("cannot write " + file + ": name a file in a directory"), err.toString());
    }

    @Test
    void noCommandIsAskedForOne() {
        assertEquals(2, Commands.commandLine().setErr(new PrintWriter(err)).execute());
        assertTrue(
                err.toString().contains("a command is missing: serve, load, bench, topology, doctor"), err.toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "help",
                "serve --help",
                "serve echo --help",
                "serve http --help",
                "load --help",
                "bench --help",
                "topology --help",
                "doctor --help"
            })
    void helpGoesToStandardOutput(String commandLine) {
        assertEquals(0, execute(commandLine));
        assertTrue(out.toString().contains("Usage: cabrank"), out.toString());
        assertEquals("", err.toString());
    }

    /** The rest is reached by {@code --set}. */
    @Test
    void flagsAreFew() {
        CommandLine root = Commands.commandLine();
        assertTrue(flags(root).size() <= 80, () -> flags(root).toString());
        CommandLine echo = root.getSubcommands().get("serve").getSubcommands().get("echo");
        assertTrue(flags(echo).size() <= 32, () -> flags(echo).toString()); // thirty, --help and --version
    }

    private static Set<String> flags(CommandLine command) {
        Set<String> flags = new TreeSet<>();
        command.getCommandSpec().options().forEach(option -> flags.add(option.longestName()));
        command.getSubcommands().values().forEach(subcommand -> flags.addAll(flags(subcommand)));
        return flags;
    }

    @Test
    void theVersionIsThatOfTheBuild() {
        assertEquals(0, execute("--version"));
        assertTrue(out.toString().matches("(?s)cabrank \\d+\\.\\d+\\.\\d+.*"), out.toString());
    }

    @Test
    void anUnknownHostIsAFailureAndNotAUsageError() {
        assertEquals(1, execute("load --connect no-such-host.invalid:1"));
        assertEquals(1, err.toString().lines().count(), err.toString());
        assertTrue(err.toString().contains("no-such-host.invalid"), err.toString());
    }

    private int execute(String commandLine) {
        String[] arguments = commandLine.strip().split(" +");
        CommandLine commands = Commands.commandLine(arguments);
        commands.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
        return commands.execute(arguments);
    }
}

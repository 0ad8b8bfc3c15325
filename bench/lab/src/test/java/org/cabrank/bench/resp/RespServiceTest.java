package org.cabrank.bench.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.cabrank.bench.handler.BusyWork;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.resp.RespReader;
import org.cabrank.resp.RespValue;
import org.cabrank.stream.ConnectionHandler;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands of the service and their replies, in the wording of Redis. */
@Timeout(60)
class RespServiceTest {
    private final RespService service = new RespService(new KeyValueStore(10_000));
    private EmbeddedConnection client;

    @BeforeEach
    void connect() {
        client = EmbeddedConnection.open(service.handlers(HandlerWork.NONE).get());
        ask("SET text value\r\nSET number 7");
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    /** Inline commands; a line end in the answer is shown as a bar. */
    private String ask(String commands) {
        client.peerSends(commands + "\r\n");
        return client.peerReceives().replace("\r\n", "|");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            value = {
                "PING, +PONG|",
                "ping hello, $5|hello|",
                "ECHO hello, $5|hello|",
                "GET text, $5|value|",
                "GET none, $-1|",
                "SET k v, +OK|",
                "SET k v NX, +OK|",
                "SET text v nx, $-1|",
                "SET text v xx, +OK|",
                "SET k v XX, $-1|",
                "SET text v GET, $5|value|",
                "SET k v GET, $-1|",
                "SET text v NX GET, $5|value|",
                "SET k v EX 10 KEEPTTL, -ERR syntax error|",
                "SET k v NX XX, -ERR syntax error|",
                "SET k v EX, -ERR syntax error|",
                "SET k v EX 0, -ERR invalid expire time in 'set' command|",
                "SET k v PX -5, -ERR invalid expire time in 'set' command|",
                "SET k v EX 9223372036854775807, -ERR invalid expire time in 'set' command|",
                "SET k v EX ten, -ERR value is not an integer or out of range|",
                "MGET text none number, *3|$5|value|$-1|$1|7|",
                "MSET a 1 b 2, +OK|",
                "MSET text 1 a 2 text 3, +OK|",
                "MSET a 1 b, -ERR wrong number of arguments for 'mset' command|",
                "INCR number, :8|",
                "DECR number, :6|",
                "INCRBY number 5, :12|",
                "DECRBY number 10, :-3|",
                "INCR none, :1|",
                "INCR text, -ERR value is not an integer or out of range|",
                "INCRBY number 9223372036854775807, -ERR increment or decrement would overflow|",
                "DECRBY number -9223372036854775808, -ERR decrement would overflow|",
                "DEL text none number, :2|",
                "EXISTS text text none, :2|",
                "EXPIRE text 10, :1|",
                "EXPIRE none 10, :0|",
                "EXPIRE text 10 XX, :0|",
                "EXPIRE text 10 NX, :1|",
                "EXPIRE text 10 FOO, -ERR Unsupported option FOO|",
                "EXPIRE text 9223372036854775807, -ERR invalid expire time in 'expire' command|",
                "EXPIRE text -1, :1|",
                "TTL text, :-1|",
                "TTL none, :-2|",
                "PERSIST text, :0|",
                "DBSIZE, :2|",
                "FLUSHALL, +OK|",
                "FLUSHALL NOW, -ERR syntax error|",
                "CONFIG GET save, *2|$4|save|$0||",
                "config get maxmemory, *2|$9|maxmemory|$5|10000|",
                "CONFIG GET nothing, *0|",
                "CONFIG SET a b, -ERR unknown subcommand 'SET'. Try CONFIG HELP.|",
                "COMMAND COUNT, :29|",
                "COMMAND INFO none, *1|*-1|",
                "COMMAND FOO, -ERR unknown subcommand 'FOO'. Try COMMAND HELP.|",
                "CLIENT GETNAME, $-1|",
                "CLIENT SETNAME bird, +OK|",
                "CLIENT SETNAME, -ERR wrong number of arguments for 'client|setname' command|",
                "CLIENT SETNAME 'two words', ~-ERR Client names cannot contain spaces, newlines or special characters.|~",
                "CLIENT SETINFO LIB-NAME jay, +OK|",
                "CLIENT SETINFO COLOUR red, -ERR Unrecognized option 'COLOUR'|",
                "CLIENT KILL, -ERR unknown subcommand 'KILL'. Try CLIENT HELP.|",
                "SELECT 0, +OK|",
                "SELECT 1, -ERR DB index is out of range|",
                "DEBUG SLEEP 0, +OK|",
                "DEBUG SLEEP 0.001, +OK|",
                "DEBUG SLEEP 61, -ERR value is not a number of seconds from 0 to 60|",
                "DEBUG JMAP, -ERR unknown subcommand or wrong number of arguments for 'JMAP'. Try DEBUG HELP.|",
                "GET, -ERR wrong number of arguments for 'get' command|",
                "get a b, -ERR wrong number of arguments for 'get' command|",
                "FOO a b, ~-ERR unknown command 'FOO', with args beginning with: 'a' 'b' |~",
                "AUTH x, ~-ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?|~",
                "HELLO 4, -NOPROTO unsupported protocol version|",
                "HELLO x, -ERR Protocol version is not an integer or out of range|",
                "HELLO 3 FOO, -ERR Syntax error in HELLO option 'FOO'|",
                "HELLO 3 AUTH a b, ~-ERR AUTH <password> called without any password configured for the default user. Are you sure your configuration is correct?|~",
            })
    void commandsAreAnsweredAsByRedis(String command, String reply) {
        assertEquals(reply, ask(command));
    }

    @Test
    void helloChoosesTheVersion() {
        assertTrue(ask("HELLO 3 SETNAME bird").startsWith("%7|$6|server|$7|cabrank|$7|version|"), "a map");
        assertEquals("_|$4|bird|", ask("GET none\r\nCLIENT GETNAME"));
        assertTrue(ask("HELLO 2").startsWith("*14|$6|server|"), "an array");
        assertEquals("$-1|", ask("GET none"));
    }

    @Test
    void aRefusedHelloChangesNothing() {
        ask("HELLO 3 SETNAME bird FOO");
        assertEquals("$-1|$-1|", ask("GET none\r\nCLIENT GETNAME"));
    }

    @Test
    void clientsAreListedUntilTheyAreGone() {
        try (EmbeddedConnection other =
                EmbeddedConnection.open(service.handlers(HandlerWork.NONE).get())) {
            other.peerSends("CLIENT SETNAME other\r\nPING\r\n");
            String list = ask("CLIENT LIST");
            assertTrue(list.contains(" name=other age=0 db=0 cmd=ping "), list);
            assertEquals(2, service.connected());
            other.peerEnds();
            assertTrue(other.isClosed());
        }
        assertEquals(1, service.connected());
        assertEquals(2, service.accepted());
    }

    @Test
    void quitAnswersAndCloses() {
        assertEquals("+PONG|+OK|", ask("PING\r\nQUIT\r\nPING"));
        assertTrue(client.isOutputEnded());
    }

    @Test
    void aRequestOfABrowserIsCutOff() {
        assertEquals("", ask("POST / HTTP/1.1\r\nHost: here\r\nSET a b"));
        assertTrue(client.isClosed());
        assertTrue(client.isReset());
    }

    @Test
    void aWriteBeyondTheMemoryIsRefusedAndReadingGoesOn() {
        String value = "v".repeat(9_900);
        assertEquals(
                "-OOM command not allowed when used memory > 'maxmemory'.|$5|value|",
                ask("SET large " + value + "\r\nGET text"));
        assertEquals("-OOM command not allowed when used memory > 'maxmemory'.|", ask("MSET a 1 large " + value));
        assertEquals("$-1|", ask("GET a"));
    }

    @Test
    void informationHasSections() {
        String all = ask("INFO");
        for (String part : new String[] {
            "# Server|redis_version:",
            "server_name:cabrank|",
            "# Memory|used_memory:",
            "# Keyspace|db0:keys=2,expires=0"
        }) {
            assertTrue(all.contains(part), all);
        }
        assertTrue(ask("INFO memory").startsWith("$"), "one section");
        assertTrue(!ask("INFO memory").contains("# Server"), "one section");
    }

    @Test
    void commandsDescribeThemselves() throws Exception {
        for (String command : new String[] {"COMMAND", "COMMAND DOCS", "COMMAND LIST", "COMMAND INFO get set"}) {
            for (String version : new String[] {"2", "3"}) {
                ask("HELLO " + version);
                client.peerSends(command + "\r\n");
                RespValue value = new RespReader().read(client.peerReceivesBytes());
                assertTrue(value instanceof RespValue.ArrayValue || value instanceof RespValue.MapValue, command);
            }
        }
    }

    /** The arguments are used after the call that brought them. */
    @Test
    void slowCommandsMayBeOffloaded() {
        HandlerWork slow = new HandlerWork(
                BusyWork.NONE, new SlowRequests(1_000, 1), HandlerWork.SlowPath.offloadedTo(Runnable::run));
        Supplier<ConnectionHandler> handlers = service.handlers(slow);
        try (EmbeddedConnection other = EmbeddedConnection.open(handlers.get())) {
            other.peerSends(StandardCharsets.US_ASCII.encode("SET a one\r\nGET a\r\nPING\r\n"));
            assertEquals("+OK\r\n$3\r\none\r\n+PONG\r\n", other.peerReceives());
        }
    }
}

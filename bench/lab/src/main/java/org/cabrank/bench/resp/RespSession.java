package org.cabrank.bench.resp;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.cabrank.bench.handler.HandlerWork;
import org.cabrank.bench.text.HostPort;
import org.cabrank.resp.RespCommand;
import org.cabrank.resp.RespHandler;
import org.cabrank.resp.RespWriter;
import org.cabrank.stream.Connection;

/** A connection of the service. Callbacks come one at a time; descriptions for other connections may be read by any thread. */
final class RespSession implements RespHandler {
    /** Characters of a name or argument in an error message, as in Redis. */
    private static final int SHOWN_MAX = 128;

    private final RespService service;
    private final HandlerWork work;

    /** Filled for each command, so that a look-up allocates nothing. */
    private final ByteKey key = new ByteKey();

    private final long startNs = System.nanoTime();
    private Connection connection;
    private volatile int version = 2;
    private volatile String name = "";
    private volatile String library = "";
    private volatile String libraryVersion = "";
    private volatile StoredCommand latest;

    RespSession(RespService service, HandlerWork work) {
        this.service = service;
        this.work = work;
    }

    @Override
    public void opened(Connection own, RespWriter writer) {
        connection = own;
        service.add(this);
    }

    @Override
    public void closed(Connection own, Throwable cause) {
        if (connection != null) {
            service.remove(this);
        }
    }

    @Override
    public void command(Connection own, RespCommand command, RespWriter reply) throws Exception {
        if (work.performOrPutOff() != HandlerWork.Outcome.PUT_OFF) {
            run(own, command, reply);
        } else {
            RespCommand kept = command.keep();
            work.handAway(own, (back, nothing) -> run(back, kept, reply));
        }
    }

    private void run(Connection own, RespCommand command, RespWriter reply) throws Exception {
        StoredCommand named = CommandTable.named(command, 0);
        if (named == null) {
            unknown(own, command, reply);
        } else if (!named.accepts(command.count())) {
            reply.error(wrongNumber(named.name()));
        } else {
            if (latest != named) { // a volatile write costs more than a read
                latest = named;
            }
            try {
                named.action().run(this, command, reply);
            } catch (RefusedCommandException refused) {
                reply.error(refused.getMessage());
            }
        }
    }

    /** A browser that was made to send a request to this port by a foreign page is not answered: its next lines could be commands. */
    private static void unknown(Connection own, RespCommand command, RespWriter reply) {
        if (command.is(0, "POST") || command.is(0, "HOST:")) {
            own.abort();
            return;
        }
        StringBuilder arguments = new StringBuilder();
        for (int i = 1; i < command.count() && arguments.length() < SHOWN_MAX; i++) {
            arguments
                    .append('\'')
                    .append(shown(command, i, SHOWN_MAX - arguments.length()))
                    .append("' ");
        }
        reply.error(
                "ERR unknown command '" + shown(command, 0, SHOWN_MAX) + "', with args beginning with: " + arguments);
    }

    private static String shown(RespCommand command, int index, int most) {
        byte[] bytes = command.copy(index);
        return new String(bytes, 0, Math.min(most, bytes.length), StandardCharsets.UTF_8);
    }

    static String wrongNumber(String command) {
        return "ERR wrong number of arguments for '" + command + "' command";
    }

    static String unknownSubcommand(RespCommand command) {
        String container = command.text(0).toUpperCase(java.util.Locale.ROOT);
        return "ERR unknown subcommand '" + shown(command, 1, SHOWN_MAX) + "'. Try " + container + " HELP.";
    }

    // ---- for commands ----

    RespService service() {
        return service;
    }

    KeyValueStore store() {
        return service.store();
    }

    /** Returns the key that an argument names; valid until the next call. */
    ByteKey key(RespCommand command, int index) {
        return key.fill(command, index);
    }

    long id() {
        return connection.id();
    }

    String name() {
        return name;
    }

    /** @throws RefusedCommandException for a name that a list of clients could not show */
    void name(String wanted) {
        name = printable(wanted, "Client names");
    }

    void library(String wanted) {
        library = printable(wanted, "lib-name");
    }

    void libraryVersion(String wanted) {
        libraryVersion = printable(wanted, "lib-ver");
    }

    void version(int spoken) {
        version = spoken;
    }

    private static String printable(String text, String what) {
        if (!text.chars().allMatch(character -> character > ' ' && character <= '~')) {
            throw new RefusedCommandException(
                    "ERR " + what + " cannot contain spaces, newlines or special characters.");
        }
        return text;
    }

    /** Returns the line of this connection in a list of clients. Any thread. */
    String describe() {
        StoredCommand command = latest;
        return "id=" + id() + " addr=" + text(connection.remoteAddress()) + " laddr=" + text(connection.localAddress())
                + " name=" + name + " age=" + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs)
                + " db=0 cmd=" + (command == null ? "NULL" : command.name()) + " user=default lib-name=" + library
                + " lib-ver=" + libraryVersion + " resp=" + version;
    }

    private static String text(SocketAddress address) {
        return address instanceof InetSocketAddress internet ? HostPort.format(internet) : address.toString();
    }
}

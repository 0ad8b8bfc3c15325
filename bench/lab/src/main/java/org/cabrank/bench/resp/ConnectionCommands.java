package org.cabrank.bench.resp;

import java.util.List;
import java.util.stream.Collectors;
import org.cabrank.resp.RespCommand;
import org.cabrank.resp.RespWriter;

/** Commands about a connection and the other ones. */
final class ConnectionCommands {
    private static final String NO_PASSWORD =
            "ERR AUTH <password> called without any password configured for the default"
                    + " user. Are you sure your configuration is correct?";

    static final List<StoredCommand> ALL = List.of(
            StoredCommand.of("ping", -1, "Answers.", ConnectionCommands::ping),
            StoredCommand.of("echo", 2, "Returns its argument.", (session, command, reply) -> {
                reply.bulk(command.argument(1));
            }),
            StoredCommand.of("hello", -1, "Sets the version of the protocol.", ConnectionCommands::hello),
            StoredCommand.of("auth", -2, "Is refused: there are no passwords.", (session, command, reply) -> {
                throw new RefusedCommandException(NO_PASSWORD);
            }),
            StoredCommand.of("select", 2, "Chooses database 0.", ConnectionCommands::select),
            StoredCommand.of("quit", -1, "Closes the connection.", (session, command, reply) -> {
                reply.ok();
                reply.close();
            }),
            StoredCommand.of("client", -2, "Names and lists connections.", ConnectionCommands::client));

    private ConnectionCommands() {}

    private static void ping(RespSession session, RespCommand command, RespWriter reply) {
        if (command.count() == 1) {
            reply.simple("PONG");
        } else if (command.count() == 2) {
            reply.bulk(command.argument(1));
        } else {
            throw new RefusedCommandException(RespSession.wrongNumber("ping"));
        }
    }

    private static void select(RespSession session, RespCommand command, RespWriter reply) {
        if (StringCommands.integer(command, 1) != 0) {
            throw new RefusedCommandException("ERR DB index is out of range");
        }
        reply.ok();
    }

    private static void hello(RespSession session, RespCommand command, RespWriter reply) {
        int version = reply.version();
        if (command.count() > 1) {
            if (!command.isInteger(1)) {
                throw new RefusedCommandException("ERR Protocol version is not an integer or out of range");
            }
            long wanted = command.integer(1);
            if (wanted != 2 && wanted != 3) {
                throw new RefusedCommandException("NOPROTO unsupported protocol version");
            }
            version = (int) wanted;
        }
        String name = null;
        for (int i = 2; i < command.count(); i += 2) {
            int left = command.count() - i - 1;
            if (command.is(i, "AUTH") && left >= 2) {
                throw new RefusedCommandException(NO_PASSWORD);
            }
            if (!command.is(i, "SETNAME") || left < 1) {
                throw new RefusedCommandException("ERR Syntax error in HELLO option '" + command.text(i) + "'");
            }
            name = command.text(i + 1);
        }
        if (name != null) {
            session.name(name);
        }
        reply.version(version);
        session.version(version);
        greet(session, reply);
    }

    private static void greet(RespSession session, RespWriter reply) {
        reply.map(7);
        reply.bulk("server");
        reply.bulk("cabrank");
        reply.bulk("version");
        reply.bulk(ServerCommands.REDIS_VERSION); // clients choose commands by it
        reply.bulk("proto");
        reply.integer(reply.version());
        reply.bulk("id");
        reply.integer(session.id());
        reply.bulk("mode");
        reply.bulk("standalone");
        reply.bulk("role");
        reply.bulk("master");
        reply.bulk("modules");
        reply.array(0);
    }

    private static void client(RespSession session, RespCommand command, RespWriter reply) {
        if (command.is(1, "ID")) {
            require(command, 2, "id");
            reply.integer(session.id());
        } else if (command.is(1, "SETNAME")) {
            require(command, 3, "setname");
            session.name(command.text(2));
            reply.ok();
        } else if (command.is(1, "GETNAME")) {
            require(command, 2, "getname");
            nameOrNull(session, reply);
        } else if (command.is(1, "SETINFO")) {
            require(command, 4, "setinfo");
            setInfo(session, command);
            reply.ok();
        } else if (command.is(1, "LIST")) {
            require(command, 2, "list");
            reply.verbatim("txt", describe(session.service().sessions()));
        } else if (command.is(1, "INFO")) {
            require(command, 2, "info");
            reply.verbatim("txt", describe(List.of(session)));
        } else {
            throw new RefusedCommandException(RespSession.unknownSubcommand(command));
        }
    }

    private static void require(RespCommand command, int count, String subcommand) {
        if (command.count() != count) {
            throw new RefusedCommandException(RespSession.wrongNumber("client|" + subcommand));
        }
    }

    private static void nameOrNull(RespSession session, RespWriter reply) {
        if (session.name().isEmpty()) {
            reply.nil();
        } else {
            reply.bulk(session.name());
        }
    }

    private static void setInfo(RespSession session, RespCommand command) {
        if (command.is(2, "LIB-NAME")) {
            session.library(command.text(3));
        } else if (command.is(2, "LIB-VER")) {
            session.libraryVersion(command.text(3));
        } else {
            throw new RefusedCommandException("ERR Unrecognized option '" + command.text(2) + "'");
        }
    }

    private static String describe(List<RespSession> sessions) {
        return sessions.stream().map(session -> session.describe() + "\n").collect(Collectors.joining());
    }
}

package org.cabrank.bench.resp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.cabrank.bench.text.BuildVersion;
import org.cabrank.resp.RespCommand;
import org.cabrank.resp.RespWriter;

/** Commands about the service. */
final class ServerCommands {
    /** Version of Redis whose wording the service has. */
    static final String REDIS_VERSION = "7.0.15";

    private static final int SLEEP_SECONDS_MAX = 60;
    private static final double NS_PER_SECOND = 1e9;
    private static final int DESCRIPTION_FIELDS = 10;

    static final List<StoredCommand> ALL = List.of(
            StoredCommand.reading("dbsize", 1, "Returns the number of keys.", (session, command, reply) -> {
                reply.integer(session.store().size());
            }),
            StoredCommand.of("flushall", -1, "Removes all keys.", ServerCommands::flush),
            StoredCommand.of("flushdb", -1, "Removes all keys.", ServerCommands::flush),
            StoredCommand.of("config", -2, "Returns settings.", ServerCommands::config),
            StoredCommand.of("command", -1, "Describes commands.", ServerCommands::command),
            StoredCommand.of("info", -1, "Describes the server.", ServerCommands::info),
            StoredCommand.of("debug", -2, "SLEEP blocks the thread of the handler.", ServerCommands::debug));

    private ServerCommands() {}

    private static void flush(RespSession session, RespCommand command, RespWriter reply) {
        boolean plain = command.count() == 1;
        if (!plain && (command.count() > 2 || !command.is(1, "SYNC") && !command.is(1, "ASYNC"))) {
            throw new RefusedCommandException(RefusedCommandException.SYNTAX);
        }
        session.store().clear();
        reply.ok();
    }

    /** Blocks the thread of the handler on purpose: a standby serves the other connections. */
    private static void debug(RespSession session, RespCommand command, RespWriter reply) throws InterruptedException {
        if (!command.is(1, "SLEEP") || command.count() != 3) {
            throw new RefusedCommandException("ERR unknown subcommand or wrong number of arguments for '"
                    + command.text(1) + "'. Try DEBUG HELP.");
        }
        double seconds;
        try {
            seconds = Double.parseDouble(command.text(2));
        } catch (NumberFormatException noNumber) {
            seconds = Double.NaN;
        }
        if (!(seconds >= 0 && seconds <= SLEEP_SECONDS_MAX)) {
            throw new RefusedCommandException("ERR value is not a number of seconds from 0 to " + SLEEP_SECONDS_MAX);
        }
        TimeUnit.NANOSECONDS.sleep(Math.round(seconds * NS_PER_SECOND));
        reply.ok();
    }

    // ---- settings ----

    private static void config(RespSession session, RespCommand command, RespWriter reply) {
        if (!command.is(1, "GET")) {
            throw new RefusedCommandException(RespSession.unknownSubcommand(command));
        }
        if (command.count() < 3) {
            throw new RefusedCommandException(RespSession.wrongNumber("config|get"));
        }
        Map<String, String> found = new TreeMap<>();
        for (int i = 2; i < command.count(); i++) {
            Pattern wanted = glob(command.text(i));
            settings(session).forEach((name, value) -> {
                if (wanted.matcher(name).matches()) {
                    found.put(name, value);
                }
            });
        }
        reply.map(found.size());
        found.forEach((name, value) -> {
            reply.bulk(name);
            reply.bulk(value);
        });
    }

    private static Map<String, String> settings(RespSession session) {
        return Map.of(
                "save", "",
                "appendonly", "no",
                "databases", "1",
                "maxmemory", String.valueOf(session.store().bytesMax()),
                "maxmemory-policy", "noeviction");
    }

    /** Returns a pattern in which a star and a question mark stand for other characters. */
    private static Pattern glob(String text) {
        StringBuilder pattern = new StringBuilder();
        for (char character : text.toCharArray()) {
            pattern.append(
                    switch (character) {
                        case '*' -> ".*";
                        case '?' -> ".";
                        default -> Pattern.quote(String.valueOf(character));
                    });
        }
        return Pattern.compile(pattern.toString(), Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    }

    // ---- commands ----

    private static void command(RespSession session, RespCommand command, RespWriter reply) {
        if (command.count() == 1) {
            reply.array(CommandTable.ALL.size());
            CommandTable.ALL.forEach(one -> describe(one, reply));
        } else if (command.is(1, "COUNT") && command.count() == 2) {
            reply.integer(CommandTable.ALL.size());
        } else if (command.is(1, "LIST") && command.count() == 2) {
            reply.array(CommandTable.ALL.size());
            CommandTable.ALL.forEach(one -> reply.bulk(one.name()));
        } else if (command.is(1, "INFO")) {
            List<String> names = names(command);
            reply.array(names.size());
            names.forEach(name -> describe(CommandTable.named(name), reply));
        } else if (command.is(1, "DOCS")) {
            List<StoredCommand> found = names(command).stream()
                    .map(CommandTable::named)
                    .filter(one -> one != null)
                    .toList();
            reply.map(found.size());
            found.forEach(one -> document(one, reply));
        } else {
            throw new RefusedCommandException(RespSession.unknownSubcommand(command));
        }
    }

    private static List<String> names(RespCommand command) {
        if (command.count() == 2) {
            return CommandTable.ALL.stream().map(StoredCommand::name).toList();
        }
        return java.util.stream.IntStream.range(2, command.count())
                .mapToObj(command::text)
                .toList();
    }

    private static void describe(StoredCommand one, RespWriter reply) {
        if (one == null) {
            reply.nilArray();
            return;
        }
        reply.array(DESCRIPTION_FIELDS);
        reply.bulk(one.name());
        reply.integer(one.arity());
        reply.set(1);
        reply.simple(one.isWrite() ? "write" : "readonly");
        reply.integer(one.firstKey());
        reply.integer(one.lastKey());
        reply.integer(one.keyStep());
        reply.set(0); // categories of access
        reply.array(0); // tips
        reply.set(0); // specifications of keys
        reply.array(0); // subcommands
    }

    private static void document(StoredCommand one, RespWriter reply) {
        reply.bulk(one.name());
        reply.map(2);
        reply.bulk("summary");
        reply.bulk(one.summary());
        reply.bulk("group");
        reply.bulk(one.firstKey() > 0 ? "generic" : "server");
    }

    // ---- information ----

    private static void info(RespSession session, RespCommand command, RespWriter reply) {
        Map<String, String> sections = sections(session);
        StringBuilder text = new StringBuilder();
        sections.forEach((name, content) -> {
            if (isWanted(command, name)) {
                text.append(text.isEmpty() ? "" : "\r\n")
                        .append("# ")
                        .append(name)
                        .append("\r\n")
                        .append(content);
            }
        });
        reply.verbatim("txt", text.toString());
    }

    private static boolean isWanted(RespCommand command, String section) {
        boolean wanted = command.count() == 1;
        for (int i = 1; i < command.count(); i++) {
            wanted |= command.is(i, section.toUpperCase(Locale.ROOT))
                    || command.is(i, "ALL")
                    || command.is(i, "DEFAULT")
                    || command.is(i, "EVERYTHING");
        }
        return wanted;
    }

    private static Map<String, String> sections(RespSession session) {
        RespService service = session.service();
        KeyValueStore store = session.store();
        Map<String, String> sections = new LinkedHashMap<>();
        sections.put(
                "Server",
                "redis_version:" + REDIS_VERSION + "\r\nserver_name:cabrank\r\ncabrank_version:" + BuildVersion.text()
                        + "\r\nredis_mode:standalone\r\nprocess_id:"
                        + ProcessHandle.current().pid() + "\r\nuptime_in_seconds:"
                        + TimeUnit.NANOSECONDS.toSeconds(service.uptimeNs()) + "\r\n");
        sections.put("Clients", "connected_clients:" + service.connected() + "\r\n");
        sections.put(
                "Memory",
                "used_memory:" + store.usedBytes() + "\r\nmaxmemory:" + store.bytesMax()
                        + "\r\nmaxmemory_policy:noeviction\r\n");
        sections.put(
                "Stats",
                "total_connections_received:" + service.accepted() + "\r\nexpired_keys:" + store.expired() + "\r\n");
        sections.put("Replication", "role:master\r\nconnected_slaves:0\r\n");
        sections.put(
                "Keyspace",
                store.size() == 0
                        ? ""
                        : "db0:keys=" + store.size() + ",expires=" + store.expiring() + ",avg_ttl=0\r\n");
        return sections;
    }
}

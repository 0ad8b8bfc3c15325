package org.cabrank.bench.resp;

import java.util.List;
import java.util.function.Predicate;
import org.cabrank.resp.RespCommand;
import org.cabrank.resp.RespWriter;

/** Commands for keys and their times to live. */
final class KeyCommands {
    private static final long MS_PER_SECOND = 1_000;

    static final List<StoredCommand> ALL = List.of(
            StoredCommand.writing("del", -2, "Removes keys.", KeyCommands::del).keys(1),
            StoredCommand.reading("exists", -2, "Counts the keys that are there.", KeyCommands::exists)
                    .keys(1),
            StoredCommand.writing(
                    "expire", -3, "Sets the time to live of a key in seconds.", (session, command, reply) -> {
                        expire(session, command, reply, MS_PER_SECOND);
                    }),
            StoredCommand.writing(
                    "pexpire", -3, "Sets the time to live of a key in milliseconds.", (session, command, reply) -> {
                        expire(session, command, reply, 1);
                    }),
            StoredCommand.writing("persist", 2, "Removes the time to live of a key.", (session, command, reply) -> {
                reply.integer(session.store().persist(session.key(command, 1)) ? 1 : 0);
            }),
            StoredCommand.reading(
                    "ttl", 2, "Returns the time to live of a key in seconds.", (session, command, reply) -> {
                        long ms = session.store().ttlMs(session.key(command, 1));
                        reply.integer(ms < 0 ? ms : (ms + MS_PER_SECOND / 2) / MS_PER_SECOND);
                    }),
            StoredCommand.reading(
                    "pttl", 2, "Returns the time to live of a key in milliseconds.", (session, command, reply) -> {
                        reply.integer(session.store().ttlMs(session.key(command, 1)));
                    }));

    private KeyCommands() {}

    private static void del(RespSession session, RespCommand command, RespWriter reply) {
        int removed = 0;
        for (int i = 1; i < command.count(); i++) {
            removed += session.store().remove(session.key(command, i)) ? 1 : 0;
        }
        reply.integer(removed);
    }

    private static void exists(RespSession session, RespCommand command, RespWriter reply) {
        int present = 0;
        for (StoredValue value : session.store().values(command.count() - 1, i -> session.key(command, i + 1))) {
            present += value == null ? 0 : 1;
        }
        reply.integer(present);
    }

    private static void expire(RespSession session, RespCommand command, RespWriter reply, long unitMs) {
        long value = StringCommands.integer(command, 2);
        if (value > Long.MAX_VALUE / unitMs || value < Long.MIN_VALUE / unitMs) {
            throw new RefusedCommandException("ERR invalid expire time in '"
                    + CommandTable.named(command, 0).name() + "' command");
        }
        Predicate<StoredValue> wanted = any -> true;
        if (command.count() == 4) {
            wanted = condition(command);
        } else if (command.count() > 4) {
            throw new RefusedCommandException(RefusedCommandException.SYNTAX);
        }
        reply.integer(session.store().expireAfter(session.key(command, 1), value * unitMs, wanted) ? 1 : 0);
    }

    private static Predicate<StoredValue> condition(RespCommand command) {
        if (command.is(3, "NX")) {
            return value -> value.deadline() == null;
        }
        if (command.is(3, "XX")) {
            return value -> value.deadline() != null;
        }
        throw new RefusedCommandException("ERR Unsupported option " + command.text(3));
    }
}

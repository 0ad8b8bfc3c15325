package org.cabrank.bench.resp;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.cabrank.resp.RespCommand;
import org.cabrank.resp.RespWriter;

/** Commands that read and write values. */
final class StringCommands {
    static final List<StoredCommand> ALL = List.of(
            StoredCommand.reading("get", 2, "Returns the value of a key.", StringCommands::get),
            StoredCommand.writing("set", -3, "Sets the value of a key.", StringCommands::set),
            StoredCommand.reading("mget", -2, "Returns the values of keys.", StringCommands::mget)
                    .keys(1),
            StoredCommand.writing("mset", -3, "Sets the values of keys.", StringCommands::mset)
                    .keys(2),
            StoredCommand.writing("incr", 2, "Adds 1 to a number.", (session, command, reply) -> {
                reply.integer(session.store().add(session.key(command, 1), 1));
            }),
            StoredCommand.writing("decr", 2, "Subtracts 1 from a number.", (session, command, reply) -> {
                reply.integer(session.store().add(session.key(command, 1), -1));
            }),
            StoredCommand.writing("incrby", 3, "Adds to a number.", (session, command, reply) -> {
                reply.integer(session.store().add(session.key(command, 1), integer(command, 2)));
            }),
            StoredCommand.writing("decrby", 3, "Subtracts from a number.", StringCommands::decrby));

    private StringCommands() {}

    /** @throws RefusedCommandException if an argument is no integer */
    static long integer(RespCommand command, int index) {
        if (!command.isInteger(index)) {
            throw new RefusedCommandException(RefusedCommandException.NOT_AN_INTEGER);
        }
        return command.integer(index);
    }

    private static void get(RespSession session, RespCommand command, RespWriter reply) {
        write(session.store().value(session.key(command, 1)), reply);
    }

    private static void write(StoredValue value, RespWriter reply) {
        if (value == null) {
            reply.nil();
        } else {
            reply.bulk(value.bytes());
        }
    }

    private static void set(RespSession session, RespCommand command, RespWriter reply) {
        if (command.count() == 3) {
            session.store().put(session.key(command, 1), command.copy(2));
            reply.ok();
            return;
        }
        SetOptions options = SetOptions.of(command);
        KeyValueStore.Written written =
                session.store().put(session.key(command, 1), command.copy(2), options.condition(), options.ttlMs());
        if (options.returnsFormer()) {
            write(written.before(), reply);
        } else if (written.done()) {
            reply.ok();
        } else {
            reply.nil();
        }
    }

    private static void mget(RespSession session, RespCommand command, RespWriter reply) {
        reply.array(command.count() - 1);
        for (StoredValue value : session.store().values(command.count() - 1, i -> session.key(command, i + 1))) {
            write(value, reply);
        }
    }

    private static void mset(RespSession session, RespCommand command, RespWriter reply) {
        if (command.count() % 2 == 0) {
            throw new RefusedCommandException(RespSession.wrongNumber("mset"));
        }
        Map<ByteKey, byte[]> wanted = new LinkedHashMap<>();
        for (int i = 1; i < command.count(); i += 2) {
            wanted.put(session.key(command, i).copy(), command.copy(i + 1)); // of a key that is there twice, the last
        }
        session.store().putAll(wanted);
        reply.ok();
    }

    private static void decrby(RespSession session, RespCommand command, RespWriter reply) {
        long less = integer(command, 2);
        if (less == Long.MIN_VALUE) {
            throw new RefusedCommandException("ERR decrement would overflow");
        }
        reply.integer(session.store().add(session.key(command, 1), -less));
    }
}

package org.cabrank.bench.resp;

import org.cabrank.resp.RespCommand;
import org.cabrank.resp.RespWriter;

/**
 * A command of the service, as Redis' COMMAND describes it.
 *
 * @param name in lower case
 * @param arity number of arguments with the name; negative: at least as many
 * @param isWrite the command changes the store
 * @param firstKey number of the first argument that is a key; 0: it has none
 * @param lastKey number of the last argument that is a key; -1: the last of all
 * @param keyStep distance between keys
 */
record StoredCommand(
        String name,
        int arity,
        boolean isWrite,
        int firstKey,
        int lastKey,
        int keyStep,
        String summary,
        Action action) {

    /** The code of a command. */
    @FunctionalInterface
    interface Action {
        /** @throws RefusedCommandException before anything was written */
        void run(RespSession session, RespCommand command, RespWriter reply) throws Exception;
    }

    /** A command without keys. */
    static StoredCommand of(String name, int arity, String summary, Action action) {
        return new StoredCommand(name, arity, false, 0, 0, 0, summary, action);
    }

    /** A command that reads one key. */
    static StoredCommand reading(String name, int arity, String summary, Action action) {
        return new StoredCommand(name, arity, false, 1, 1, 1, summary, action);
    }

    /** A command that changes one key. */
    static StoredCommand writing(String name, int arity, String summary, Action action) {
        return new StoredCommand(name, arity, true, 1, 1, 1, summary, action);
    }

    /** Returns a copy whose keys are the arguments from the first one to the last, each {@code step}th. */
    StoredCommand keys(int step) {
        return new StoredCommand(name, arity, isWrite, 1, -1, step, summary, action);
    }

    boolean accepts(int arguments) {
        return arity < 0 ? arguments >= -arity : arguments == arity;
    }
}

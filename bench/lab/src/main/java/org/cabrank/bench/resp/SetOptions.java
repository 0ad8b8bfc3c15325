package org.cabrank.bench.resp;

import org.cabrank.resp.RespCommand;

/**
 * Options of SET, behind key and value.
 *
 * @param ttlMs as {@link KeyValueStore#put} takes it
 * @param returnsFormer the reply is the former value
 */
record SetOptions(KeyValueStore.Condition condition, long ttlMs, boolean returnsFormer) {
    private static final int OPTIONS_FROM = 3;
    private static final long MS_PER_SECOND = 1_000;
    private static final long KEEP = -1;

    /** @throws RefusedCommandException for options that are unknown or contradict each other */
    static SetOptions of(RespCommand command) {
        KeyValueStore.Condition condition = KeyValueStore.Condition.ALWAYS;
        long ttlMs = 0;
        boolean former = false;
        for (int i = OPTIONS_FROM; i < command.count(); i++) {
            boolean last = i + 1 == command.count();
            if (command.is(i, "NX") && condition == KeyValueStore.Condition.ALWAYS) {
                condition = KeyValueStore.Condition.IF_ABSENT;
            } else if (command.is(i, "XX") && condition == KeyValueStore.Condition.ALWAYS) {
                condition = KeyValueStore.Condition.IF_PRESENT;
            } else if (command.is(i, "GET")) {
                former = true;
            } else if (command.is(i, "KEEPTTL") && ttlMs == 0) {
                ttlMs = KEEP;
            } else if (command.is(i, "EX") && ttlMs == 0 && !last) {
                ttlMs = positive(command, ++i, MS_PER_SECOND);
            } else if (command.is(i, "PX") && ttlMs == 0 && !last) {
                ttlMs = positive(command, ++i, 1);
            } else {
                throw new RefusedCommandException(RefusedCommandException.SYNTAX);
            }
        }
        return new SetOptions(condition, ttlMs, former);
    }

    private static long positive(RespCommand command, int index, long unitMs) {
        long value = StringCommands.integer(command, index);
        if (value <= 0 || value > Long.MAX_VALUE / unitMs) {
            throw new RefusedCommandException("ERR invalid expire time in 'set' command");
        }
        return value * unitMs;
    }
}

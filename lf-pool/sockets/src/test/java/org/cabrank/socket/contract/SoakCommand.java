package org.cabrank.socket.contract;

import java.util.Arrays;
import java.util.Random;

/** Behaviour of the server, named in the header of each message that a soak client sends. */
enum SoakCommand {
    /** Echoes the message. */
    ECHO(false),
    /** Sleeps for a millisecond before the echo, so that a follower takes over. */
    SLEEP(false),
    /** Promotes a new leader before it sleeps. */
    PROMOTE(false),
    /** Hands the work to an executor and echoes in the continuation. */
    OFFLOAD(false),
    /** Waits for a reply that another thread completes. */
    AWAIT_REPLY(false),
    /** Another thread writes the echo. */
    WRITE_FROM_OUTSIDE(false),
    /** Another thread has a task of the connection write the echo. */
    EXECUTE_FROM_OUTSIDE(false),
    /** Reading is paused for a millisecond. */
    PAUSE(false),
    /** Moves to the next shard, from the callback. */
    MOVE(false),

    CLOSE(true),
    ABORT(true),
    ABORT_FROM_OUTSIDE(true),
    THROW(true),
    THROW_IN_TASK(true),
    THROW_IN_OFFLOAD(true),
    THROW_IN_CONTINUATION(true),
    OVERFLOW_STACK(true),
    OVERFLOW_STACK_IN_TASK(true),
    THROW_OUT_OF_MEMORY(true),
    THROW_OUT_OF_MEMORY_IN_CONTINUATION(true);

    private static final SoakCommand[] ALL = values();

    private static final int SURVIVED =
            (int) Arrays.stream(ALL).filter(command -> !command.endsConnection).count();

    private final boolean endsConnection;

    SoakCommand(boolean endsConnection) {
        this.endsConnection = endsConnection;
    }

    boolean endsConnection() {
        return endsConnection;
    }

    static SoakCommand of(int ordinal) {
        return ALL[ordinal];
    }

    /** Half of all messages are plain echoes. */
    static SoakCommand surviving(Random random) {
        return random.nextBoolean() ? ECHO : ALL[random.nextInt(SURVIVED)];
    }

    static SoakCommand ending(Random random) {
        return ALL[SURVIVED + random.nextInt(ALL.length - SURVIVED)];
    }
}

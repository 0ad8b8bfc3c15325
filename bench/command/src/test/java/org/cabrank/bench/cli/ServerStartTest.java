package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.cabrank.kernel.Errno;
import org.junit.jupiter.api.Test;

class ServerStartTest {

    @Test
    void callThatFailsWhileThreadsStartIsOneLineWithTheRemedy() {
        IllegalStateException notStarted = new IllegalStateException(
                "pool x could not start: epoll_wait: EINVAL (invalid argument)",
                Errno.exception("epoll_wait", -Errno.EINVAL));
        Failure failure = assertThrows(
                Failure.class,
                () -> ServerStart.started(null, null, () -> {
                    throw notStarted;
                }));
        assertEquals(
                "pool x could not start: epoll_wait: EINVAL (invalid argument); restart the server, and see its log if the failure"
                        + " returns",
                failure.getMessage());
    }
}

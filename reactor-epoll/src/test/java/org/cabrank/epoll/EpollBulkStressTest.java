package org.cabrank.epoll;

import java.util.stream.Stream;
import org.cabrank.socket.contract.BulkInputStress;
import org.cabrank.stream.contract.ReactorMode;

/** Bulk input over epoll: three threads for each of two shards; in a soak also one, which an ordinary run has over io_uring. */
class EpollBulkStressTest extends BulkInputStress {
    static Stream<ReactorMode> modes() {
        return of(EpollModes.moving(), name -> name.matches("3 deferred.* oneshot .*"));
    }

    @Override
    protected int modeCount() {
        return (int) modes().count();
    }
}

package org.cabrank.epoll;

import java.util.stream.Stream;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.model.ConnectionModelContract;

/** Programs of calls over epoll: three threads for each of two shards, in a soak also one, which an ordinary run has over io_uring. */
class EpollModelTest extends ConnectionModelContract {
    static Stream<ReactorMode> modes() {
        return of(EpollModes.moving(), name -> name.matches("3 deferred.* oneshot .*"));
    }

    @Override
    protected int modeCount() {
        return (int) modes().count();
    }
}

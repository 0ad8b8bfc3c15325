package org.cabrank.epoll;

import java.util.stream.Stream;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.model.ConnectionModelContract;

/** Programs of calls over epoll: one thread for each of two shards, and three. */
class EpollModelTest extends ConnectionModelContract {
    static Stream<ReactorMode> modes() {
        return of(EpollModes.moving(), name -> name.startsWith("1 claim") || name.matches("3 deferred.* oneshot .*"));
    }

    @Override
    protected int modeCount() {
        return (int) modes().count();
    }
}

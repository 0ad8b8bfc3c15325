package org.cabrank.epoll;

import java.util.stream.Stream;
import org.cabrank.socket.contract.SoakContract;
import org.cabrank.stream.contract.ReactorMode;

/** The soak over epoll: one thread for each of two shards, and three. */
class EpollSoakTest extends SoakContract {
    static Stream<ReactorMode> modes() {
        return of(EpollModes.moving(), name -> name.startsWith("1 claim") || name.matches("3 deferred.* claim .*"));
    }

    @Override
    protected int modeCount() {
        return (int) modes().count();
    }
}

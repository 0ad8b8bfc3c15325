package org.cabrank.epoll;

import java.util.stream.Stream;
import org.cabrank.socket.contract.SoakContract;
import org.cabrank.stream.contract.ReactorMode;

/** The soak over epoll: one thread for each of two shards, three, and as many as are needed. */
class EpollSoakTest extends SoakContract {
    static Stream<ReactorMode> modes() {
        return of(
                Stream.concat(EpollModes.moving(), EpollModes.growing()),
                name -> name.startsWith("1 claim")
                        || name.startsWith("growing")
                        || name.matches("3 deferred.* claim .*"));
    }

    @Override
    protected int modeCount() {
        return (int) modes().count();
    }
}

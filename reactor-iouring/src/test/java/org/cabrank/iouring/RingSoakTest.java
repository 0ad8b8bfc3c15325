package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.socket.contract.SoakContract;
import org.cabrank.stream.contract.ReactorMode;

/** The soak over io_uring, with two rings: one thread for each of them, several, and as many as are needed. */
class RingSoakTest extends SoakContract {
    static Stream<ReactorMode> modes() {
        return of(
                Stream.concat(RingModes.moving(), RingModes.relieved()),
                name -> name.startsWith("plain ") || name.startsWith("relieved 3 short"));
    }

    @Override
    protected int modeCount() {
        return (int) modes().count();
    }
}

package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.socket.contract.SoakContract;
import org.cabrank.stream.contract.ReactorMode;

/** The soak over io_uring, with two rings. */
class RingSoakTest extends SoakContract {
    static Stream<ReactorMode> modes() {
        return of(RingModes.moving(), name -> name.startsWith("plain "));
    }

    @Override
    protected int modeCount() {
        return (int) modes().count();
    }
}

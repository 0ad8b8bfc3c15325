package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.socket.contract.BulkInputStress;
import org.cabrank.stream.contract.ReactorMode;

/** Bulk input over io_uring, with two rings. */
class RingBulkStressTest extends BulkInputStress {
    static Stream<ReactorMode> modes() {
        return of(RingModes.moving(), name -> name.startsWith("plain "));
    }

    @Override
    protected int modeCount() {
        return (int) modes().count();
    }
}

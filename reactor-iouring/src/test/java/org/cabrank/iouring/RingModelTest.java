package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.model.ConnectionModelContract;

/** Programs of calls over io_uring, with two rings. */
class RingModelTest extends ConnectionModelContract {
    static Stream<ReactorMode> modes() {
        return of(RingModes.moving(), name -> name.startsWith("plain "));
    }

    @Override
    protected int modeCount() {
        return (int) modes().count();
    }
}

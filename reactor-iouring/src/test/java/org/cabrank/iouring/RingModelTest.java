package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.stream.contract.ReactorMode;
import org.cabrank.stream.contract.model.ConnectionModelContract;

/** Programs of calls over io_uring, with two rings; in a soak with several threads for each, too. */
class RingModelTest extends ConnectionModelContract {
    static Stream<ReactorMode> modes() {
        return of(Stream.concat(RingModes.moving(), RingModes.relieved()), name -> name.startsWith("plain "));
    }

    @Override
    protected int modeCount() {
        return (int) modes().count();
    }
}

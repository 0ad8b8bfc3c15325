package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.descriptor.contract.MovingContracts;
import org.cabrank.lf.stream.contract.Modes;
import org.cabrank.lf.stream.contract.ReactorMode;

/** Connections that are moved between two rings. */
class RingMovingTest extends MovingContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(RingModes.moving());
    }
}

package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.socket.contract.ReceivingContracts;
import org.cabrank.stream.contract.Modes;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Tag;

/** Holds every way in which a ring receives to the parts of the contract that concern received bytes. */
@Tag("newest") // on an older JDK in a soak only
class RingReceivingTest extends ReceivingContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(RingModes.receiving());
    }
}

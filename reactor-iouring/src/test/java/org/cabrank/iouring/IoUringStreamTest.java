package org.cabrank.iouring;

import java.util.stream.Stream;
import org.cabrank.descriptor.contract.AllStreamContracts;
import org.cabrank.lf.stream.contract.Modes;
import org.cabrank.lf.stream.contract.ReactorMode;

/** Holds streams over io_uring to the contract of every backend, with every kernel and every kind of pool. */
class IoUringStreamTest extends AllStreamContracts {
    static Stream<ReactorMode> modes() {
        return Modes.reactors(RingModes.all());
    }
}

package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.cabrank.iouring.ring.RegisteredDescriptor;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;

/**
 * Memory that the kernel has the address of, when the garbage collector runs during the call. Only compiled code forgets a buffer that
 * it does not use any more, so the calls are made often first; a compiler that is late lets the test pass.
 */
class ReachableMemoryTest {
    private static final int NO_DESCRIPTOR = -1;
    private static final int UNTIL_COMPILED = 30_000;
    private static final int COLLECTIONS = 3;

    private final CollectingKernel kernel = new CollectingKernel(TestKernel.any());

    private void lastsFor(Runnable call) {
        for (int i = 0; i < UNTIL_COMPILED; i++) {
            call.run();
        }
        kernel.collect();
        for (int i = 0; i < COLLECTIONS; i++) {
            call.run();
        }
        assertEquals(0, kernel.lost());
    }

    @Test
    void memoryOfAnEndedRegistrationOfTheRingLasts() {
        RegisteredDescriptor registered = new RegisteredDescriptor(kernel, NO_DESCRIPTOR, 0);
        lastsFor(registered::unregister);
    }
}

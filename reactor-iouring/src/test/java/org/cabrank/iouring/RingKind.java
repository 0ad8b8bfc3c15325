package org.cabrank.iouring;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import org.cabrank.iouring.config.RingMode;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.Deactivation;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.contract.SetKind;
import org.cabrank.stream.BackendUnavailableException;

/** Sets over rings, for the contract. */
abstract class RingKind implements SetKind {
    /** Over rings that one thread has for itself. */
    static final class Owner extends RingKind {
        Owner() {
            super("owner ring", RingMode.OWNER, RingOptions.DEFAULT);
        }
    }

    /** Over rings in which threads take turns. */
    static final class Shared extends RingKind {
        Shared() {
            super("shared ring", RingMode.SHARED, RingOptions.DEFAULT);
        }
    }

    /** Over rings with few buffers for datagrams, or none. */
    static final class WithBuffers extends RingKind {
        private final int buffers;

        /** @param buffers 0: datagram sockets are polled */
        WithBuffers(RingMode mode, int buffers) {
            super(
                    (mode == RingMode.OWNER ? "owner" : "shared") + " ring of " + buffers,
                    mode,
                    RingOptions.DEFAULT.withDatagramBuffers(buffers).withRestricted(buffers == 1));
            this.buffers = buffers;
        }

        int buffers() {
            return buffers;
        }
    }

    private final String name;
    private final RingMode mode;
    private final RingOptions options;

    private RingKind(String name, RingMode mode, RingOptions options) {
        this.name = name;
        this.mode = mode;
        this.options = options;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final boolean isForSeveralThreads() {
        return mode == RingMode.SHARED;
    }

    @Override
    public final DescriptorSet open(Kernel kernel, Deactivation deactivation) throws IOException {
        try {
            return new RingHandleSet(kernel, deactivation, mode, options);
        } catch (BackendUnavailableException refused) {
            return abort(refused.getMessage());
        }
    }
}

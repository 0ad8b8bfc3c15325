package org.cabrank.iouring;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.contract.SetKind;
import org.cabrank.stream.BackendUnavailableException;

/** Sets over rings, for the contract. */
abstract class RingKind implements SetKind {
    /** Over rings as they are by default. */
    static final class Plain extends RingKind {
        Plain() {
            super("owner ring", RingOptions.DEFAULT);
        }
    }

    /** Over rings with few buffers for datagrams, or none. */
    static final class WithBuffers extends RingKind {
        private final int buffers;

        /** @param buffers 0: datagram sockets are polled */
        WithBuffers(int buffers) {
            super("owner ring of " + buffers, RingOptions.DEFAULT.withDatagramBuffers(buffers));
            this.buffers = buffers;
        }

        int buffers() {
            return buffers;
        }
    }

    private final String name;
    private final RingOptions options;

    private RingKind(String name, RingOptions options) {
        this.name = name;
        this.options = options;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final boolean isForSeveralThreads() {
        return false;
    }

    @Override
    public final DescriptorSet open(Kernel kernel, Deactivation deactivation) throws IOException {
        try {
            return new RingHandleSet(kernel, deactivation, options);
        } catch (BackendUnavailableException refused) {
            return abort(refused.getMessage());
        }
    }
}

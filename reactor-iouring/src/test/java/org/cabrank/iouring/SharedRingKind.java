package org.cabrank.iouring;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import org.cabrank.descriptor.DescriptorSet;
import org.cabrank.descriptor.contract.SetKind;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.stream.BackendUnavailableException;

/** Sets over rings in which threads take turns, for the contract. */
final class SharedRingKind implements SetKind {
    @Override
    public String name() {
        return "shared ring";
    }

    @Override
    public boolean isForSeveralThreads() {
        return true;
    }

    @Override
    public DescriptorSet open(Kernel kernel, Deactivation deactivation) throws IOException {
        try {
            return new RingHandleSet(kernel, deactivation, RingMode.SHARED, RingOptions.DEFAULT);
        } catch (BackendUnavailableException refused) {
            return abort(refused.getMessage());
        }
    }
}

package org.cabrank.iouring;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import org.cabrank.descriptor.DescriptorSet;
import org.cabrank.descriptor.contract.SetKind;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.stream.BackendUnavailableException;

/** Sets over rings that one thread has for itself, for the contract. */
final class OwnerRingKind implements SetKind {
    @Override
    public String name() {
        return "owner ring";
    }

    @Override
    public boolean isForSeveralThreads() {
        return false;
    }

    @Override
    public DescriptorSet open(Kernel kernel, Deactivation deactivation) throws IOException {
        try {
            return new RingHandleSet(kernel, deactivation, RingMode.OWNER, RingOptions.DEFAULT);
        } catch (BackendUnavailableException refused) {
            return abort(refused.getMessage());
        }
    }
}

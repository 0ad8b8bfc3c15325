package org.cabrank.kernel;

import org.cabrank.kernel.layout.ResourceLimit;

/** Limits of this process. Constants are in {@link Resources}. */
public interface ResourceCalls extends NativeCalls {

    /** getrlimit(2): fills the {@link ResourceLimit} at {@code limit}. */
    default int getrlimit(int resource, long limit) {
        return (int) call(CFunction.GETRLIMIT, resource, limit, 0, 0, 0, 0);
    }

    /** setrlimit(2), from the {@link ResourceLimit} at {@code limit}; {@code EPERM} above the hard limit. */
    default int setrlimit(int resource, long limit) {
        return (int) call(CFunction.SETRLIMIT, resource, limit, 0, 0, 0, 0);
    }
}

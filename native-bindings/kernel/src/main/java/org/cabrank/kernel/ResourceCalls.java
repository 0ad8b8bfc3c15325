package org.cabrank.kernel;

import org.cabrank.kernel.layout.ResourceLimit;

/** Calls for the limits of this process. Constants are in {@link Resources}. */
public interface ResourceCalls extends NativeCalls {

    /** getrlimit(2): fills the {@link ResourceLimit} at {@code limit}. */
    default int getrlimit(int resource, long limit) {
        return (int) call(CFunction.GETRLIMIT, resource, limit, 0, 0, 0, 0);
    }

    /** setrlimit(2): sets the limit to the {@link ResourceLimit} at {@code limit}. Fails with {@code EPERM} above the hard limit. */
    default int setrlimit(int resource, long limit) {
        return (int) call(CFunction.SETRLIMIT, resource, limit, 0, 0, 0, 0);
    }
}

package org.cabrank.kernel;

/** Limits of this process. Constants are in {@link Resources}; a failure is {@code -errno}. */
public interface ResourceCalls {

    /** getrlimit(2): fills the {@link ResourceLimit} at {@code limit}. */
    int getrlimit(int resource, long limit);

    /** setrlimit(2), from the {@link ResourceLimit} at {@code limit}; {@code EPERM} above the hard limit. */
    int setrlimit(int resource, long limit);
}

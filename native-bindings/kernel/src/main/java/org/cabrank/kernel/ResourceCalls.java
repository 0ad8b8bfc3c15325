package org.cabrank.kernel;

/** Limits of this process. */
public interface ResourceCalls {

    /** getrlimit(2): fills the {@code struct rlimit} at {@code limit}. */
    int getrlimit(int resource, long limit);

    /** setrlimit(2). */
    int setrlimit(int resource, long limit);
}

package org.cabrank.kernel;

/** The kernel's error numbers. */
public final class Errno {
    private Errno() {}
}

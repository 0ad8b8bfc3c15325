package org.cabrank.kernel;

import java.io.IOException;

/** A failed system call. The message names the call and the error, such as {@code bind: EADDRINUSE (address already in use)}. */
public final class KernelException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    KernelException(String call, int negativeResult) {
        super(call + ": " + Errno.describe(-negativeResult));
        if (negativeResult >= 0) {
            throw new IllegalArgumentException(call + " returned " + negativeResult + ", which is not a failure");
        }
        this.errno = -negativeResult;
    }

    /** The kernel's error number, which is positive. See {@link Errno}. */
    public int errno() {
        return errno;
    }
}

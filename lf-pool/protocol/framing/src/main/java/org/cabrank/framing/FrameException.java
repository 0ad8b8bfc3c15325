package org.cabrank.framing;

import java.io.IOException;

/** A peer has sent malformed bytes or a frame that is too long. The stream has no more frames. */
public final class FrameException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param message reason for the failure. It must not contain bytes of the peer. */
    public FrameException(String message) {
        super(message);
    }

    /** Records no stack trace, because the peer's bytes are the cause. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    static FrameException tooLong(long bytes, int bytesMax) {
        return new FrameException("a frame of " + (bytes < 0 ? "2^63 or more" : bytes) + " bytes exceeds the bound of "
                + bytesMax + " bytes; the peer must send shorter frames, or the bound of the framing must be raised");
    }
}

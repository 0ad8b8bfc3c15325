package org.cabrank.framing;

import java.io.IOException;

/** Thrown if the bytes of a peer are no frame, or a frame longer than the bound. The stream has no further frames. */
public final class FrameException extends IOException {
    private static final long serialVersionUID = 1L;

    /** @param message the reason why the bytes are no frame; never the bytes themselves */
    public FrameException(String message) {
        super(message);
    }

    /** Records no stack: the cause is in the bytes of the peer, so one line in the log suffices. */
    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }

    static FrameException tooLong(long bytes, int bytesMax) {
        return new FrameException("a frame of " + (bytes < 0 ? "2^63 or more" : bytes) + " bytes exceeds the bound of "
                + bytesMax + " bytes; the peer must send shorter frames, or the bound of the framing must be raised");
    }
}

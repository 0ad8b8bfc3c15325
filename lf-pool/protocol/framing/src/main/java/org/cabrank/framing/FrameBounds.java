package org.cabrank.framing;

/** Place of a frame in a buffer of received bytes. Offsets are relative to the buffer's position. Not thread-safe. */
public final class FrameBounds {
    private int searched;
    private int start;
    private int length;
    private int total;

    FrameBounds() {}

    /** Number of bytes, from the buffer's position, that earlier searches for this frame have examined. 0 at first. */
    public int searched() {
        return searched;
    }

    /** Notes that the frame is incomplete and that {@code bytes} bytes were searched. The next search may begin after these bytes. */
    public void searched(int bytes) {
        searched = bytes;
    }

    /**
     * Notes the place of a complete frame. Offsets and lengths are in bytes.
     *
     * @param startOffset offset of the first byte that the handler sees, from the buffer's position
     * @param contentLength number of bytes that the handler sees
     * @param totalLength length of the frame, including its prefix or its delimiter. At least 1.
     */
    public void found(int startOffset, int contentLength, int totalLength) {
        if (totalLength < 1 || startOffset < 0 || contentLength < 0 || startOffset + contentLength > totalLength) {
            throw new IllegalArgumentException("a frame of " + totalLength + " bytes has no content of " + contentLength
                    + " bytes from " + startOffset);
        }
        start = startOffset;
        length = contentLength;
        total = totalLength;
    }

    int start() {
        return start;
    }

    int length() {
        return length;
    }

    int total() {
        return total;
    }
}

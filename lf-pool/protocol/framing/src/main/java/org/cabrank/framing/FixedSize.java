package org.cabrank.framing;

import java.nio.ByteBuffer;
import org.cabrank.stream.Connection;

final class FixedSize extends Framing {
    FixedSize(int bytes) {
        super(bytes);
    }

    @Override
    protected boolean find(ByteBuffer bytes, FrameBounds bounds) {
        if (bytes.remaining() < bytesMax()) {
            return false;
        }
        bounds.found(0, bytesMax(), bytesMax());
        return true;
    }

    @Override
    public void write(Connection connection, ByteBuffer content) {
        if (content.remaining() != bytesMax()) {
            throw new IllegalArgumentException(
                    "a frame has " + bytesMax() + " bytes in this framing, not " + content.remaining());
        }
        connection.write(content);
    }

    @Override
    public String toString() {
        return "frames of " + bytesMax() + " bytes";
    }
}

package org.cabrank.socket.calls;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Conversion of file names between the kernel's bytes and the JDK's paths. */
public final class Paths {
    /** Charset of the JDK's file names, which only this property reports. */
    private static final Charset NAMES = charset(System.getProperty("sun.jnu.encoding"));

    private Paths() {}

    private static Charset charset(String name) {
        return name != null && Charset.isSupported(name) ? Charset.forName(name) : StandardCharsets.UTF_8;
    }

    public static ByteBuffer zeroTerminated(Path path) {
        byte[] bytes = path.toString().getBytes(NAMES);
        return ByteBuffer.allocateDirect(bytes.length + 1)
                .order(ByteOrder.nativeOrder())
                .put(0, bytes);
    }

    /** Returns the name in {@code bytes[offset..offset+length)} up to the first zero. */
    public static String name(ByteBuffer bytes, int offset, int length) {
        int end = 0;
        while (end < length && bytes.get(offset + end) != 0) {
            end++;
        }
        byte[] name = new byte[end];
        bytes.get(offset, name);
        return new String(name, NAMES);
    }
}

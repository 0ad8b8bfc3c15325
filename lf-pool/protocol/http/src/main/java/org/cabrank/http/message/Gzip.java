package org.cabrank.http.message;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/** The content coding gzip (RFC 9110 section 8.4.1.3), decoded within a bound: a few KiB may become many MiB. */
public final class Gzip {
    private Gzip() {}

    /** Returns true if a value of Content-Encoding names this coding alone. */
    public static boolean is(CharSequence coding) {
        String name = coding.toString();
        return name.equalsIgnoreCase("gzip") || name.equalsIgnoreCase("x-gzip");
    }

    /**
     * Decodes a body.
     *
     * @return null if the body would become longer than {@code bytesMax}
     * @throws IOException if the body is malformed
     */
    public static byte[] decode(byte[] compressed, int bytesMax) throws IOException {
        try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            byte[] decoded = in.readNBytes(bytesMax);
            return in.read() >= 0 ? null : decoded;
        }
    }
}

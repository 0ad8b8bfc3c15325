package org.cabrank.proxy;

import java.nio.ByteBuffer;

final class HeaderDecoder {
    enum Form {
        UNDECIDED,
        VERSION_1,
        VERSION_2,
        NONE
    }

    private HeaderDecoder() {}

    static Form form(ByteBuffer bytes) {
        if (begins(bytes, HeaderVersion1.SIGNATURE)) {
            return bytes.remaining() < HeaderVersion1.SIGNATURE.length ? Form.UNDECIDED : Form.VERSION_1;
        }
        if (begins(bytes, HeaderVersion2.SIGNATURE)) {
            return bytes.remaining() < HeaderVersion2.SIGNATURE.length ? Form.UNDECIDED : Form.VERSION_2;
        }
        return Form.NONE;
    }

    private static boolean begins(ByteBuffer bytes, byte[] signature) {
        int equal = bytes.mismatch(ByteBuffer.wrap(signature));
        return equal < 0 || equal == Math.min(bytes.remaining(), signature.length);
    }

    /** Returns null if the header is incomplete. Moves the position behind a complete header. {@code bytesMax} limits version 2 only. */
    static ProxyHeader decode(ByteBuffer bytes, int bytesMax) throws ProxyProtocolException {
        return switch (form(bytes)) {
            case UNDECIDED -> null;
            case VERSION_1 -> HeaderVersion1.decode(bytes);
            case VERSION_2 -> HeaderVersion2.decode(bytes, bytesMax);
            case NONE ->
                throw new ProxyProtocolException("the trusted peer has sent no PROXY header; have the proxy send one"
                        + " (haproxy: send-proxy-v2), or allow connections without a header: required(false)");
        };
    }
}

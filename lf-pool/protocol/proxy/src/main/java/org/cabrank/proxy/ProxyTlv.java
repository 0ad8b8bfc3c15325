package org.cabrank.proxy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A field of a version 2 header. Immutable.
 *
 * @param type from 0 to 255
 * @param value at most {@value #VALUE_BYTES_MAX} bytes. The array is copied.
 */
public record ProxyTlv(int type, byte[] value) {
    /** PP2_TYPE_ALPN: the protocol that TLS or the upper layer has negotiated. */
    public static final int ALPN = 0x01;

    /** PP2_TYPE_AUTHORITY: the host name that the client has asked for (SNI). */
    public static final int AUTHORITY = 0x02;

    /** PP2_TYPE_CRC32C: checksum of the header. */
    public static final int CRC32C = 0x03;

    /** PP2_TYPE_NOOP: padding. */
    public static final int NOOP = 0x04;

    /** PP2_TYPE_UNIQUE_ID: identifies the connection of the client. */
    public static final int UNIQUE_ID = 0x05;

    /** PP2_TYPE_SSL: a description of the client's TLS connection with the proxy. See {@link ProxySsl}. */
    public static final int SSL = 0x20;

    /** PP2_SUBTYPE_SSL_VERSION. */
    public static final int SSL_VERSION = 0x21;

    /** PP2_SUBTYPE_SSL_CN. */
    public static final int SSL_COMMON_NAME = 0x22;

    /** PP2_SUBTYPE_SSL_CIPHER. */
    public static final int SSL_CIPHER = 0x23;

    /** PP2_SUBTYPE_SSL_SIG_ALG. */
    public static final int SSL_SIGNATURE_ALGORITHM = 0x24;

    /** PP2_SUBTYPE_SSL_KEY_ALG. */
    public static final int SSL_KEY_ALGORITHM = 0x25;

    /** PP2_TYPE_NETNS: the network namespace of the proxy. */
    public static final int NETWORK_NAMESPACE = 0x30;

    public static final int VALUE_BYTES_MAX = 0xffff;

    private static final int TYPE_MAX = 0xff;

    public ProxyTlv {
        if (type < 0 || type > TYPE_MAX) {
            throw new IllegalArgumentException("a type is from 0 to " + TYPE_MAX + ", not " + type);
        }
        if (value.length > VALUE_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "a value has at most " + VALUE_BYTES_MAX + " bytes, not " + value.length);
        }
        value = value.clone();
    }

    /** Encodes the text in UTF-8. */
    public ProxyTlv(int type, String value) {
        this(type, value.getBytes(StandardCharsets.UTF_8));
    }

    /** A copy. */
    @Override
    public byte[] value() {
        return value.clone();
    }

    /** The value decoded as UTF-8. */
    public String text() {
        return new String(value, StandardCharsets.UTF_8);
    }

    public int length() {
        return value.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ProxyTlv tlv && type == tlv.type && Arrays.equals(value, tlv.value);
    }

    @Override
    public int hashCode() {
        return 31 * type + Arrays.hashCode(value);
    }

    /** The value is left out, because it may be secret. */
    @Override
    public String toString() {
        return "TLV 0x" + Integer.toHexString(type) + " of " + value.length + " bytes";
    }
}

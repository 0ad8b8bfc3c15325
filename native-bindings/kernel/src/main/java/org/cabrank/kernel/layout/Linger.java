package org.cabrank.kernel.layout;

/** Layout of {@code struct linger} ({@code Sockets.SO_LINGER}), in bytes: a switch and a time in seconds, each an {@code int}. */
public final class Linger {
    public static final int SIZE_BYTES = 8;
    public static final int ONOFF_OFFSET = 0;
    public static final int LINGER_OFFSET = 4;

    private Linger() {}
}

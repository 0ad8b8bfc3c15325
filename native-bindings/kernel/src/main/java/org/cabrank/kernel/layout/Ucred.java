package org.cabrank.kernel.layout;

/** Layout of {@code struct ucred}, the value of {@code Sockets.SO_PEERCRED}, in bytes: pid, uid and gid (unsigned), 32 bits each. */
public final class Ucred {
    public static final int SIZE_BYTES = 12;
    public static final int PID_OFFSET = 0;
    public static final int UID_OFFSET = 4;
    public static final int GID_OFFSET = 8;

    private Ucred() {}
}

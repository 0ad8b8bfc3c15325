package org.cabrank.kernel;

/** Constants of mmap(2), for {@link MemoryCalls}. */
public final class Memory {
    public static final int PROT_READ = 1;
    public static final int PROT_WRITE = 2;

    public static final int MAP_SHARED = 0x01;
    public static final int MAP_PRIVATE = 0x02;
    public static final int MAP_ANONYMOUS = 0x20;
    public static final int MAP_POPULATE = 0x8000;

    private Memory() {}
}

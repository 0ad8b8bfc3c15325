package org.cabrank.kernel;

/** Binary interfaces of Linux that the bindings support. Both are 64 bits wide and little-endian. */
public enum Abi {
    X86_64("amd64", "x86_64"),
    AARCH64("aarch64", "arm64");

    private final String[] archNames;

    Abi(String... archNames) {
        this.archNames = archNames;
    }

    /** The ABI of this process. Throws an {@link UnsupportedOperationException} if the bindings do not support it. */
    public static Abi current() {
        return of(System.getProperty("os.arch"));
    }

    /** The ABI for a value of the system property {@code os.arch}. Throws an {@link UnsupportedOperationException} if it is unknown. */
    public static Abi of(String arch) {
        for (Abi abi : values()) {
            for (String name : abi.archNames) {
                if (name.equals(arch)) {
                    return abi;
                }
            }
        }
        throw new UnsupportedOperationException(
                "Cabrank knows the Linux ABI of amd64 and aarch64, not that of the architecture '" + arch + "'");
    }
}

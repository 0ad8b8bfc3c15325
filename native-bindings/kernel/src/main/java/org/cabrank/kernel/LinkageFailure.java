package org.cabrank.kernel;

/** Describes the cause if a {@link KernelProvider} cannot link the C library. */
public final class LinkageFailure {
    private LinkageFailure() {}

    /**
     * Describes {@code thrown}. If the initialization of a class has failed, describes the cause of {@code thrown}, because {@code thrown}
     * itself may only say "Could not initialize class".
     */
    public static String cause(Throwable thrown) {
        boolean ofInitializer = thrown instanceof ExceptionInInitializerError || thrown instanceof NoClassDefFoundError;
        Throwable cause = ofInitializer && thrown.getCause() != null ? thrown.getCause() : thrown;
        return cause.toString();
    }
}

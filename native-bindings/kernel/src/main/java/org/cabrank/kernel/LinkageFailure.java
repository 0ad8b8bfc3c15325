package org.cabrank.kernel;

/** Describes why a {@link KernelProvider} cannot link the C library. */
public final class LinkageFailure {
    private LinkageFailure() {}

    /**
     * Returns the class and the message of the error that has kept a class from being initialized, or of {@code thrown} itself. Any thread.
     * The JVM throws that error at the first use of the class. At every later use it throws "Could not initialize class", and its cause
     * repeats the first error as text.
     */
    public static String cause(Throwable thrown) {
        boolean ofInitializer = thrown instanceof ExceptionInInitializerError || thrown instanceof NoClassDefFoundError;
        Throwable cause = ofInitializer && thrown.getCause() != null ? thrown.getCause() : thrown;
        return cause.toString();
    }
}

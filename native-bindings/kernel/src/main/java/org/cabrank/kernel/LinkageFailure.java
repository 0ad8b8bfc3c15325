package org.cabrank.kernel;

/** Describes the cause if a {@link KernelProvider} cannot link the C library. */
public final class LinkageFailure {
    private LinkageFailure() {}

    /**
     * Returns the class and the message of the error that prevented the initialization of a class; those of {@code thrown} if it is another
     * failure. Any thread. The JVM throws the error at the first use of the class. At each later use it throws "Could not initialize
     * class", with a cause that repeats the error as text.
     */
    public static String cause(Throwable thrown) {
        boolean ofInitializer = thrown instanceof ExceptionInInitializerError || thrown instanceof NoClassDefFoundError;
        Throwable cause = ofInitializer && thrown.getCause() != null ? thrown.getCause() : thrown;
        return cause.toString();
    }
}

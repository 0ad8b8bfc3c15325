package org.cabrank.lf.failure;

/** Tells the errors that end a thread of the pool from those that are a failure of the callback that threw them. */
public final class FatalErrors {
    private FatalErrors() {}

    /**
     * Returns true if a thread of the pool must not go on after {@code failure}: for a {@link VirtualMachineError} other than
     * {@link StackOverflowError} and {@link OutOfMemoryError}, so for {@link InternalError} and {@link UnknownError}, because
     * the state of the virtual machine is unknown then. The thread rethrows such an error and is replaced.
     *
     * <p>A stack overflow or a lack of memory in a callback of the service is a failure of that callback: the frames that
     * used the stack are gone when the pool catches the error, and what could not be allocated belongs to that callback.
     * The failure costs the handle, task or datagram, is counted and logged once per kind, and the thread lives on.
     *
     * <p>An {@link InternalError} whose cause is such an error is no more than that error: the runtime wraps a stack overflow that
     * it meets while it links a lambda or a method handle (seen on JDK 17).
     *
     * <p>Any thread. Allocates nothing, so that it can be asked with little stack and no memory left.
     *
     * @param failure caught; null is not fatal
     */
    public static boolean endsThread(Throwable failure) {
        return failure instanceof VirtualMachineError
                && !isExhaustion(failure)
                && !(failure.getClass() == InternalError.class && isExhaustion(failure.getCause()));
    }

    private static boolean isExhaustion(Throwable failure) {
        return failure instanceof StackOverflowError || failure instanceof OutOfMemoryError;
    }
}

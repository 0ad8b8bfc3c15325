package org.cabrank.lf;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Recognizes virtual threads (JDK 21). They cannot take part in a pool, because a wait in the kernel would block the carrier. Also, they
 * would change the state that the kernel keeps for their carrier (requests of a ring, CPUs, timer slack).
 */
final class VirtualThreads {
    private static final MethodHandle IS_VIRTUAL = find();

    private VirtualThreads() {}

    private static MethodHandle find() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (ReflectiveOperationException older) {
            return null;
        }
    }

    static boolean isVirtual(Thread thread) {
        try {
            return IS_VIRTUAL != null && (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (Throwable never) {
            throw new IllegalStateException(never);
        }
    }

    static String refusal(Thread thread, LeaderFollowersPool pool) {
        return thread.getName() + " is a virtual thread and cannot take part in " + pool
                + ": a wait in the kernel would block its carrier; use a platform thread";
    }
}

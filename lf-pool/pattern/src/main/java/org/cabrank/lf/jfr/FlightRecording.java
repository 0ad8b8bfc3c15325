package org.cabrank.lf.jfr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * True if the JDK Flight Recorder runs in this process: the gate before every event of this package.
 *
 * <p>The hot path asks at every event, so the answer is one opaque read of a flag. It must not be had from the event
 * classes: merely loading one that is registered by itself starts most of the recorder. None is loaded before a recording
 * begins, and none ever is in a runtime image without the module {@code jdk.jfr}.
 */
public final class FlightRecording {
    private static final VarHandle BEGUN;

    static {
        try {
            BEGUN = MethodHandles.lookup().findStaticVarHandle(FlightRecording.class, "begun", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("unused") // by BEGUN
    private static boolean begun;

    private FlightRecording() {}

    /**
     * Has this class told of the first recording, or told at once if there has been one. Asking again has no effect.
     *
     * @return true if this runtime image contains a flight recorder
     */
    public static boolean listen() {
        return Listening.POSSIBLE;
    }

    /** Returns true if there has been a recording; if so, the event class knows whether it is recorded at this moment. */
    public static boolean hasBegunOpaque() {
        return (boolean) BEGUN.getOpaque();
    }

    static void begin() {
        BEGUN.setOpaque(true);
    }

    /** Initialized when first asked for, and so once. */
    private static final class Listening {
        static final boolean POSSIBLE = isPresent();

        static {
            if (POSSIBLE) {
                RecorderListener.install();
            }
        }

        private static boolean isPresent() {
            return ModuleLayer.boot().findModule("jdk.jfr").isPresent();
        }
    }
}

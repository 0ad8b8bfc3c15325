package org.cabrank.lf.jfr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

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

    /** Number of pools that have begun and not ended. Guarded by the class. */
    private static int pools;

    private FlightRecording() {}

    /** A pool begins: from now on this class is notified of the first recording, or at once if there has been one. */
    public static synchronized void poolBegins() {
        if (pools == 0 && isPresent()) {
            Listener.install();
        }
        pools++;
    }

    /** A pool has ended. With the last one the recorder forgets this class, whose class loader it would keep otherwise. */
    public static synchronized void poolEnds() {
        pools--;
        if (pools == 0 && isPresent()) {
            Listener.remove();
        }
    }

    private static boolean isPresent() {
        return ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    }

    /** Returns true if there has been a recording; if so, the event class knows whether it is recorded at this moment. */
    public static boolean hasBegunOpaque() {
        return (boolean) BEGUN.getOpaque();
    }

    /** Loaded only where there is a flight recorder: the verifier of the outer class must not need its types. */
    private static final class Listener implements FlightRecorderListener {
        private static final Listener ONE = new Listener();

        /** Calls back at once where a recording has begun before, for instance by {@code -XX:StartFlightRecording}. */
        static void install() {
            FlightRecorder.addListener(ONE);
        }

        static void remove() {
            FlightRecorder.removeListener(ONE);
            if (FlightRecorder.isInitialized()) {
                EventTypes.ALL.forEach(FlightRecorder::unregister);
            }
        }

        /** Called by the thread that begins the first recording, before the recording has begun. */
        @Override
        public void recorderInitialized(FlightRecorder recorder) {
            EventTypes.ALL.forEach(FlightRecorder::register);
            BEGUN.setOpaque(true);
        }
    }
}

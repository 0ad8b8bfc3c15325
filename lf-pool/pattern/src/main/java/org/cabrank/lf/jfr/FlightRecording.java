package org.cabrank.lf.jfr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * A flag that is true once a recording of the JDK Flight Recorder has begun in this process. The hot path makes one opaque read of the flag
 * for every event. The event classes are not asked, because loading a class that registers itself starts most of the recorder. No event
 * class is loaded before a recording begins, or in a runtime image without the module {@code jdk.jfr}.
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

    @SuppressWarnings("unused")
    private static boolean begun;

    /** Number of pools that have begun and not ended. Guarded by the class. */
    private static int pools;

    private FlightRecording() {}

    public static synchronized void poolBegins() {
        if (pools == 0 && isPresent()) {
            Listener.install();
        }
        pools++;
    }

    /** Called when a pool has ended. After the last pool, removes the listener, by which the recorder would keep the class loader alive. */
    public static synchronized void poolEnds() {
        pools--;
        if (pools == 0 && isPresent()) {
            Listener.remove();
        }
    }

    private static boolean isPresent() {
        return ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    }

    /** Returns true if a recording has begun. It may have ended: the event classes know if events are recorded now. */
    public static boolean hasBegunOpaque() {
        return (boolean) BEGUN.getOpaque();
    }

    /** Loaded only if there is a flight recorder: the verifier of the outer class must not need types of the recorder. */
    private static final class Listener implements FlightRecorderListener {
        private static final Listener ONE = new Listener();

        /** Calls back at once if a recording has begun before, for example by {@code -XX:StartFlightRecording}. */
        static void install() {
            FlightRecorder.addListener(ONE);
        }

        static void remove() {
            FlightRecorder.removeListener(ONE);
            if (FlightRecorder.isInitialized()) {
                EventTypes.ALL.forEach(FlightRecorder::unregister);
            }
        }

        /** Called before the first recording begins, by the thread that begins it. */
        @Override
        public void recorderInitialized(FlightRecorder recorder) {
            EventTypes.ALL.forEach(FlightRecorder::register);
            BEGUN.setOpaque(true);
        }
    }
}

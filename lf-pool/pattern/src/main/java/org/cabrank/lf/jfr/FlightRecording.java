package org.cabrank.lf.jfr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * True if the JDK Flight Recorder runs in this process. Checked before every event of this package.
 *
 * <p>The hot path checks at every event, so the check is one opaque read of a flag. The event classes cannot tell: loading one that is
 * registered by itself starts most of the recorder. No event class is loaded before a recording begins, and none in a runtime image
 * without the module {@code jdk.jfr}.
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

    /** Called when a pool has ended. After the last one the recorder forgets this class, because it would keep its class loader. */
    public static synchronized void poolEnds() {
        pools--;
        if (pools == 0 && isPresent()) {
            Listener.remove();
        }
    }

    private static boolean isPresent() {
        return ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    }

    /** Returns true if there has been a recording. If so, the event class knows whether events are recorded at this moment. */
    public static boolean hasBegunOpaque() {
        return (boolean) BEGUN.getOpaque();
    }

    /** Loaded only where there is a flight recorder: the verifier of the outer class must not need its types. */
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

        /** Called by the thread that begins the first recording, before the recording has begun. */
        @Override
        public void recorderInitialized(FlightRecorder recorder) {
            EventTypes.ALL.forEach(FlightRecorder::register);
            BEGUN.setOpaque(true);
        }
    }
}

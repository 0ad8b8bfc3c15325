package org.cabrank.lf.jfr;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/**
 * A flag that becomes true when the first flight recording begins in this process. The hot path reads only this flag, because loading an
 * event class would start most of the recorder. This class also works if the runtime image has no module {@code jdk.jfr}.
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

    /** If no pool is left, removes the listener, which would keep its class loader alive. */
    public static synchronized void poolEnds() {
        pools--;
        if (pools == 0 && isPresent()) {
            Listener.remove();
        }
    }

    private static boolean isPresent() {
        return ModuleLayer.boot().findModule("jdk.jfr").isPresent();
    }

    /** Returns true if a recording has ever begun. It may have ended. Only the event classes know if events are recorded now. */
    public static boolean hasBegunOpaque() {
        return (boolean) BEGUN.getOpaque();
    }

    /** This is a separate class, so that the outer class can be verified without types of the recorder. */
    private static final class Listener implements FlightRecorderListener {
        private static final Listener ONE = new Listener();

        /** If a recording has begun before, the recorder calls {@link #recorderInitialized} at once. */
        static void install() {
            FlightRecorder.addListener(ONE);
        }

        static void remove() {
            FlightRecorder.removeListener(ONE);
            if (FlightRecorder.isInitialized()) {
                EventTypes.ALL.forEach(FlightRecorder::unregister);
            }
        }

        @Override
        public void recorderInitialized(FlightRecorder recorder) {
            EventTypes.ALL.forEach(FlightRecorder::register);
            BEGUN.setOpaque(true);
        }
    }
}

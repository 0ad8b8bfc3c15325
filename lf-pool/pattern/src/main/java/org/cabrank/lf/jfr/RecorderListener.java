package org.cabrank.lf.jfr;

import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Makes the events known when the first recording begins. Loaded only where there is a flight recorder. */
final class RecorderListener implements FlightRecorderListener {
    private static final RecorderListener LISTENER = new RecorderListener();

    /** Calls back at once where a recording has begun before, for instance by {@code -XX:StartFlightRecording}. */
    static void install() {
        FlightRecorder.addListener(LISTENER);
    }

    static void remove() {
        FlightRecorder.removeListener(LISTENER);
        if (FlightRecorder.isInitialized()) {
            Events.ALL.forEach(FlightRecorder::unregister);
        }
    }

    /** Registers the events. Called by the thread that begins the first recording, before the recording has begun. */
    @Override
    public void recorderInitialized(FlightRecorder recorder) {
        Events.ALL.forEach(FlightRecorder::register);
        FlightRecording.begin();
    }

    /** Loads the event classes when a recording has begun, and not before. */
    private static final class Events {
        static final List<Class<? extends Event>> ALL = List.of(
                PromotionEvent.class,
                EagerPromotionEvent.class,
                TakeoverEvent.class,
                DetectionGapEvent.class,
                SlowHandlerEvent.class,
                HarvestEvent.class);
    }
}

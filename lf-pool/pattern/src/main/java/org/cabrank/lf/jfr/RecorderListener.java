package org.cabrank.lf.jfr;

import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;

/** Makes the events known when the first recording begins. Loaded only where there is a flight recorder. */
final class RecorderListener implements FlightRecorderListener {

    /** Calls back at once where a recording has begun before, for instance by {@code -XX:StartFlightRecording}. */
    static void install() {
        FlightRecorder.addListener(new RecorderListener());
    }

    /** Registers the events. Called by the thread that begins the first recording, before the recording has begun. */
    @Override
    public void recorderInitialized(FlightRecorder recorder) {
        FlightRecorder.register(PromotionEvent.class);
        FlightRecorder.register(EagerPromotionEvent.class);
        FlightRecorder.register(TakeoverEvent.class);
        FlightRecorder.register(DetectionGapEvent.class);
        FlightRecorder.register(SlowHandlerEvent.class);
        FlightRecorder.register(HarvestEvent.class);
        FlightRecording.begin();
    }
}

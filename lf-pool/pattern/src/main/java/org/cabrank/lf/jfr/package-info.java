/**
 * Events of Cabrank for the JDK Flight Recorder. The event types are found by their names, which begin with
 * {@code org.cabrank.}; {@link org.cabrank.lf.observe} lists them. Nothing here is loaded, but for
 * {@link org.cabrank.lf.jfr.FlightRecording} and its listener, before the first recording begins.
 */
package org.cabrank.lf.jfr;

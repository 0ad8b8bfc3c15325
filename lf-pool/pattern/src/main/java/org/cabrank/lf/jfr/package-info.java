/**
 * Events for the JDK Flight Recorder, found by their names, which begin with {@code org.cabrank.}; {@link org.cabrank.lf.observe} lists
 * them. Only {@link org.cabrank.lf.jfr.FlightRecording} and its listener are loaded before the first recording begins.
 */
package org.cabrank.lf.jfr;

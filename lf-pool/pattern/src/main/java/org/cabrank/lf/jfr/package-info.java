/**
 * Events for the JDK Flight Recorder. Their names begin with {@code org.cabrank.}, and {@link org.cabrank.lf.observe} lists them. Before
 * the first recording begins, only {@link org.cabrank.lf.jfr.FlightRecording} and its listener are loaded.
 */
package org.cabrank.lf.jfr;

/**
 * Tests of handlers without a socket: an {@link org.cabrank.stream.testkit.EmbeddedConnection} runs a handler as a reactor does, and
 * the test plays the peer and the clock.
 *
 * <pre>{@code
 * try (EmbeddedConnection echo = EmbeddedConnection.open((connection, data) -> connection.write(data))) {
 *     echo.peerSends("hello");
 *     assertEquals("hello", echo.peerReceives());
 *     echo.advance(Duration.ofMinutes(5)); // time-outs pass without waiting
 * }
 * }</pre>
 *
 * <p>Stability: stable.
 */
package org.cabrank.stream.testkit;

/**
 * Frames in a stream of bytes. A {@link org.cabrank.framing.Framing} cuts the received bytes of a connection into frames, and a {@link
 * org.cabrank.framing.FrameHandler} sees only whole frames:
 *
 * <pre>{@code
 * Framing framing = Framing.lengthPrefixed(4);
 * StreamServer server = StreamServer.builder()
 *         .listen("127.0.0.1", 7000)
 *         .handler(framing.handlers(() -> framing::write)) // sends each frame back
 *         .start();
 * }</pre>
 *
 * <p>A frame is a view of the received bytes, so no bytes are copied. A frame costs no allocation after a thread's first frames. If a
 * peer sends malformed bytes or a frame that is too long, {@link org.cabrank.framing.FrameHandler#malformed} is called.
 *
 * <p>Stability: stable.
 */
package org.cabrank.framing;

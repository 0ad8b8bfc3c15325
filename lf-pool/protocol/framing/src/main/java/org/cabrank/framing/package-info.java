/**
 * Frames in a stream of bytes. A {@link org.cabrank.framing.Framing} cuts what a connection receives into frames, and a
 * {@link org.cabrank.framing.FrameHandler} sees whole frames only:
 *
 * <pre>{@code
 * Framing framing = Framing.lengthPrefixed(4);
 * StreamServer server = StreamServer.builder()
 *         .listen("127.0.0.1", 7000)
 *         .handler(framing.handlers(() -> framing::write)) // sends each frame back
 *         .start();
 * }</pre>
 *
 * <p>A frame is a view into the received bytes: nothing is copied, and nothing is allocated for a frame once a thread is warm. A frame
 * that exceeds its bound, and bytes that are no frame, reach {@link org.cabrank.framing.FrameHandler#malformed}.
 *
 * <p>Stability: stable.
 */
package org.cabrank.framing;

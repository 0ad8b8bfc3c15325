package org.cabrank.bench.doctor;

import java.io.IOException;
import org.cabrank.iouring.IoUringBackendProvider;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamReactor;

/**
 * What came of making a ring.
 *
 * @param words what it runs on, or why it was refused and what would help
 */
public record RingTrial(Outcome outcome, String words) {
    /** Whether it was made. */
    public enum Outcome {
        MADE,
        REFUSED,
        /** The machine is not this one. */
        NOT_TRIED
    }

    /** Of a machine that is not here. */
    public static final RingTrial NONE = new RingTrial(Outcome.NOT_TRIED, "");

    /** Makes one as a server with one thread does, and gives it back. */
    public static RingTrial here() {
        try (StreamReactor reactor = StreamReactor.builder()
                .name("doctor")
                .backend(Backend.of(new IoUringBackendProvider()))
                .start()) {
            return new RingTrial(
                    Outcome.MADE,
                    reactor.backendDescription().lines().findFirst().orElse(""));
        } catch (IOException refused) {
            return new RingTrial(Outcome.REFUSED, refused.getMessage());
        }
    }
}

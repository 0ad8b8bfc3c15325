package org.cabrank.pinning.doctor;

import java.io.IOException;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamReactor;

/** Result of an attempt to create an io_uring ring. {@code words} describes the ring, or has the cause and the remedy of a refusal. */
public record RingTrial(Outcome outcome, String words) {
    /** Outcome of the attempt. */
    public enum Outcome {
        MADE,
        REFUSED,
        /** Not attempted, because the files describe another machine. */
        NOT_TRIED
    }

    /** Result for another machine, of which only copies of files are present. */
    public static final RingTrial NONE = new RingTrial(Outcome.NOT_TRIED, "");

    /** @param words cause of the refusal, then a semicolon, then the remedy */
    public static Finding refused(String words) {
        return ServiceChecks.refused(new Check("io-uring", "io_uring"), words);
    }

    /** Creates a ring with the settings of a server with one thread, and closes the ring. */
    public static RingTrial here() {
        try (StreamReactor reactor = StreamReactor.builder()
                .name("doctor")
                .backend(Backend.named("iouring"))
                .threadsPerShard(1)
                .start()) {
            return new RingTrial(
                    Outcome.MADE,
                    reactor.backendDescription().lines().findFirst().orElse(""));
        } catch (IOException refused) {
            return new RingTrial(Outcome.REFUSED, refused.getMessage());
        }
    }
}

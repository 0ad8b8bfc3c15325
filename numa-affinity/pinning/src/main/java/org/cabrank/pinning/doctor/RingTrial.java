package org.cabrank.pinning.doctor;

import java.io.IOException;
import org.cabrank.stream.Backend;
import org.cabrank.stream.StreamReactor;

/** Result of creating an io_uring ring: {@code words} has the ring's description, or the cause of the refusal and the remedy. */
public record RingTrial(Outcome outcome, String words) {
    /** Outcome of the attempt. */
    public enum Outcome {
        MADE,
        REFUSED,
        /** Not attempted, because the files describe another machine. */
        NOT_TRIED
    }

    /** Result for a machine that is only present as files. */
    public static final RingTrial NONE = new RingTrial(Outcome.NOT_TRIED, "");

    /** Returns the finding that a ring was refused. @param words the cause, and behind a semicolon the remedy */
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

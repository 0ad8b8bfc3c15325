package org.cabrank.lf;

import java.time.Duration;
import java.util.List;
import org.cabrank.lf.handle.Choice;
import org.cabrank.lf.leadership.Deadlines;

/** A wait for events or leadership. It spins for {@code spinNs} ns and then blocks. With {@link Long#MAX_VALUE} it never blocks. */
public record Waiting(long spinNs) implements Choice {
    private static final Duration SPIN = Duration.ofNanos(50_000);

    /** The ways of waiting that a user can choose by label. The label {@code spin} means 50 µs. */
    public static List<Waiting> values() {
        return List.of(block(), spinThenBlock(SPIN), busySpin());
    }

    public Waiting {
        if (spinNs < 0) {
            throw new IllegalArgumentException("spin must not be negative, but is " + spinNs + " ns");
        }
    }

    /** Blocks in the kernel at once. Idle threads use no CPU. */
    public static Waiting block() {
        return new Waiting(0);
    }

    /** Spins for {@code spin}, and then blocks in the kernel. {@code spin} must not be negative. */
    public static Waiting spinThenBlock(Duration spin) {
        if (spin.isNegative()) {
            throw new IllegalArgumentException("spin must not be negative, but is " + spin);
        }
        return new Waiting(Deadlines.ns(spin));
    }

    /** Never blocks. This has the lowest latency, but every waiting thread uses a whole CPU. */
    public static Waiting busySpin() {
        return new Waiting(Long.MAX_VALUE);
    }

    @Override
    public String label() {
        return spinNs == 0 ? "block" : neverBlocks() ? "busy" : "spin";
    }

    @Override
    public String description() {
        return spinNs == 0
                ? "in the kernel"
                : neverBlocks() ? "always spinning" : "spinning " + spinNs / 1000 + "us, then in the kernel";
    }

    boolean neverBlocks() {
        return spinNs == Long.MAX_VALUE;
    }

    @Override
    public String toString() {
        return label() + (label().equals("spin") ? "(" + spinNs / 1000 + "us)" : "");
    }
}

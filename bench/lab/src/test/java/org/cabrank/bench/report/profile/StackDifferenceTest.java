package org.cabrank.bench.report.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

final class StackDifferenceTest {

    private static StackTree tree(Object... stacksAndSamples) {
        StackTree.Builder builder = new StackTree.Builder();
        for (int i = 0; i < stacksAndSamples.length; i += 2) {
            builder.add(List.of(((String) stacksAndSamples[i]).split(";")), (Integer) stacksAndSamples[i + 1]);
        }
        return builder.build();
    }

    @Test
    void framesAreOrderedByTheChangeOfTheirShareAndNotOfTheirSamples() {
        // The second profile has twice as many samples.
        StackTree first = tree("run;read", 50, "run;write", 30, "run;parse", 20);
        StackTree second = tree("run;read", 120, "run;write", 20, "run;parse", 40, "run;encode", 20);
        List<StackDifference> all = StackDifference.top(first, second, 10);
        assertEquals(
                List.of("write", "encode", "read"),
                all.stream().map(StackDifference::frame).toList());
        assertEquals(-0.2, all.get(0).change(), 1e-9);
        assertEquals(new StackDifference("encode", 0, 20, 0.1), all.get(1));
        assertEquals(0.1, all.get(2).change(), 1e-9);
    }

    @Test
    void aFrameIsOneHoweverItWasCalled() {
        List<StackDifference> all =
                StackDifference.top(tree("a;lock", 1, "b;lock", 1, "b", 2), tree("a;lock", 3, "b", 1), 10);
        assertEquals(List.of(new StackDifference("b", 2, 1, -0.25), new StackDifference("lock", 2, 3, 0.25)), all);
    }

    @Test
    void noMoreThanAskedForAreReturnedAndNoneOfEmptyProfiles() {
        assertEquals(
                1,
                StackDifference.top(tree("a", 1, "b", 3), tree("a", 3, "b", 1), 1)
                        .size());
        assertEquals(List.of(), StackDifference.top(tree(), tree(), 5));
    }

    @Test
    void mergedStacksKeepTheSamplesOfEachProfileAtTheSharedNodes() {
        StackTree first = tree("run;read", 5, "run", 1);
        StackTree second = tree("run;write", 2, "run;read", 3);
        MergedStacks merged = MergedStacks.of(List.of(first, second));
        assertEquals(List.of("run", "read", "write"), merged.frames());
        assertEquals(List.of(-1, 0, 0, 1, 0, 2), merged.nodes());
        assertEquals(List.of(List.of(0, 1, 1, 5), List.of(2, 2, 1, 3)), merged.samples());
    }
}

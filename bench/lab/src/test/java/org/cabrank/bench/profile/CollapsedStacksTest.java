package org.cabrank.bench.profile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.cabrank.bench.report.profile.CpuProfile.ThreadSamples;
import org.junit.jupiter.api.Test;

final class CollapsedStacksTest {

    private static final String WORKER = "[cabrank-s0-0 tid=77];";

    @Test
    void samplesAreCountedByThreadInUserSpaceAndInTheKernel() {
        CollapsedStacks stacks = CollapsedStacks.parse(List.of(
                "[cabrank-s0-1 tid=78];java/lang/Thread.run_[j];write;ksys_write_[k] 9",
                WORKER + "java/lang/Thread.run_[j];Pool.lead_[j] 4",
                WORKER + "java/lang/Thread.run_[j];Pool.lead_[j];asm_common_interrupt_[k] 1",
                ""));
        assertEquals(
                List.of(new ThreadSamples("cabrank-s0-1", 0, 9), new ThreadSamples("cabrank-s0-0", 4, 1)),
                stacks.threads());
        assertEquals(14, stacks.stacks().total());
    }

    @Test
    void aMethodIsOneFrameHoweverItWasCompiledAndWhateverTheAddressInItsName() {
        CollapsedStacks stacks = CollapsedStacks.parse(List.of(
                WORKER + "T$$Lambda.0x0000000010041c00.run_[0];T.work_[i] 1",
                WORKER + "T$$Lambda.0x000000001004ff08.run_[1];T.work_[j] 2",
                WORKER + "T$$Lambda/0x000000001004ff08.run_[0];T.work_[0] 3"));
        assertEquals(Map.of("T.work_[j]", 6L), stacks.stacks().samplesByFrame());
        assertEquals(2, stacks.stacks().size());
        assertEquals("T$$Lambda.run_[j]", stacks.stacks().frame(0));
    }

    @Test
    void threadsOfTheJvmAreCountedApartAndAreInNoStack() {
        CollapsedStacks stacks = CollapsedStacks.parse(List.of(
                "[C2 CompilerThre tid=5];clone3;Compile::Optimize 40",
                "[GC Thread#0 tid=6];clone3;steal 2",
                WORKER + "java/lang/Thread.run_[j] 7"));
        assertEquals(42, stacks.jvmSamples());
        assertEquals(7, stacks.stacks().total());
        assertEquals(List.of(new ThreadSamples("cabrank-s0-0", 7, 0)), stacks.threads());
    }

    @Test
    void namesWithBlanksAndStacksWithoutFramesAreRead() {
        CollapsedStacks stacks = CollapsedStacks.parse(
                List.of("[my thread tid=9];Allocator<unsigned long, (Kind)3>::take 2", "[my thread tid=9] 1"));
        assertEquals(
                Map.of("Allocator<unsigned long, (Kind)3>::take", 2L, "[unknown]", 1L),
                stacks.stacks().samplesByFrame());
    }

    @Test
    void aLineThatIsNoStackIsRefusedWithItsText() {
        for (String wrong : List.of(WORKER + "run_[j]", "run_[j] 3")) {
            IllegalArgumentException refused =
                    assertThrows(IllegalArgumentException.class, () -> CollapsedStacks.parse(List.of(wrong)));
            assertTrue(refused.getMessage().contains(wrong), refused.getMessage());
        }
    }
}

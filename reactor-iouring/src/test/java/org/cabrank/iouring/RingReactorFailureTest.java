package org.cabrank.iouring;

import java.util.List;
import java.util.stream.Stream;
import org.cabrank.socket.contract.FaultyKernel;
import org.cabrank.socket.contract.ReactorFailureContract;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Failures of shards over io_uring. */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
@Tag("newest") // on an older JDK in a soak only
class RingReactorFailureTest extends ReactorFailureContract {
    private static FaultyKernel kernel;

    @Parameter
    ReactorMode mode;

    static Stream<ReactorMode> modes() {
        return RingModes.over(() -> kernel);
    }

    RingReactorFailureTest() {
        kernel = new FaultyKernel(TestKernel.any());
    }

    @Override
    protected ReactorMode mode() {
        return mode;
    }

    @Override
    protected FaultyKernel kernel() {
        return kernel;
    }

    @Override
    protected List<String> waits() {
        return List.of("io_uring_enter");
    }

    /** The accept holds the socket until the kernel has taken the closed ring apart, which took up to 9 ms. */
    @Override
    protected boolean givesBackLater() {
        return true;
    }
}

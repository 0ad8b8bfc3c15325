package org.cabrank.epoll;

import java.util.List;
import java.util.stream.Stream;
import org.cabrank.socket.contract.FaultyKernel;
import org.cabrank.socket.contract.ReactorFailureContract;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Failures of shards over epoll. */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
class EpollReactorFailureTest extends ReactorFailureContract {
    private static FaultyKernel kernel;

    @Parameter
    ReactorMode mode;

    static Stream<ReactorMode> modes() {
        return EpollModes.over(() -> kernel);
    }

    EpollReactorFailureTest() {
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
        return List.of("epoll_wait", "epoll_pwait2");
    }
}

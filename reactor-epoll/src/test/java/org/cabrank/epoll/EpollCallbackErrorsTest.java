package org.cabrank.epoll;

import java.util.List;
import java.util.stream.Stream;
import org.cabrank.socket.contract.TestKernel;
import org.cabrank.stream.contract.CallbackErrorsContract;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Errors that callbacks throw over epoll. */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
@Tag("newest") // on an older JDK in a soak only
class EpollCallbackErrorsTest extends CallbackErrorsContract {
    @Parameter
    ReactorMode mode;

    static Stream<ReactorMode> modes() {
        List<ReactorMode> all = EpollModes.over(TestKernel::any).toList();
        return Stream.of(all.get(0), all.get(all.size() - 1)); // one thread for each shard, and several
    }

    @Override
    protected ReactorMode mode() {
        return mode;
    }
}

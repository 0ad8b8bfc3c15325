package org.cabrank.epoll;

import org.cabrank.socket.contract.DrainBacklogContract;
import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** {@link DrainBacklogContract} over epoll. */
@ParameterizedClass(name = "{0} threads")
@ValueSource(ints = {1, 3})
@Tag("newest") // on an older JDK in a soak only
class EpollDrainBacklogTest extends DrainBacklogContract {
    @Parameter
    int threads;

    @Override
    protected ReactorMode mode() {
        return EpollModes.plain(kernel(), threads);
    }
}

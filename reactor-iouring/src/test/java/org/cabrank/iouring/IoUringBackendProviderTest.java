package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.cabrank.lf.stream.Backend;
import org.cabrank.lf.stream.BackendUnavailableException;
import org.cabrank.lf.stream.StreamReactor;
import org.junit.jupiter.api.Test;

class IoUringBackendProviderTest {

    @Test
    void startingOverIoUringFailsWithTheReasonAndWhatServesInstead() {
        StreamReactor.Builder builder = StreamReactor.builder().backend(Backend.named("iouring"));
        IOException refused = assertThrows(BackendUnavailableException.class, builder::start);
        assertTrue(refused.getMessage().contains("no io_uring reactor yet"), refused.getMessage());
        assertTrue(refused.getMessage().contains("epoll"), refused.getMessage());
    }
}

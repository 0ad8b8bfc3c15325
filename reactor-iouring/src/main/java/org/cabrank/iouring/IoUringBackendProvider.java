package org.cabrank.iouring;

import org.cabrank.lf.stream.BackendProvider;
import org.cabrank.lf.stream.BackendUnavailableException;
import org.cabrank.lf.stream.StreamSettings;
import org.cabrank.lf.stream.spi.StreamBackend;

/** Refuses to serve over io_uring, in words, as long as there is no reactor for it. */
public final class IoUringBackendProvider implements BackendProvider {
    /** Behind epoll: the automatic choice does not come here, and has nothing to explain. */
    private static final int RANK = 200;

    /** For the service loader. */
    public IoUringBackendProvider() {}

    @Override
    public String name() {
        return "iouring";
    }

    @Override
    public int rank() {
        return RANK;
    }

    @Override
    public StreamBackend open(StreamSettings settings) throws BackendUnavailableException {
        throw new BackendUnavailableException(
                "this version has no io_uring reactor yet; the backend epoll serves here");
    }
}

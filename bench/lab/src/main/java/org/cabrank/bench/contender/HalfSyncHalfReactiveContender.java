package org.cabrank.bench.contender;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.cabrank.bench.hshr.HalfSyncHalfReactiveServer;
import org.cabrank.kernel.KernelUnavailableException;
import org.cabrank.kernel.Kernels;

/** An I/O thread, a queue and workers, over the same handle set as Cabrank's pools: only the sharing of work differs. */
final class HalfSyncHalfReactiveContender implements Contender {

    @Override
    public String name() {
        return "hshr-epoll";
    }

    @Override
    public List<String> tuning() {
        return List.of(
                "one I/O thread, several workers that answer themselves",
                "Cabrank's epoll handle set and kernel binding",
                "bounded lock-free queue (JCTools, single producer)",
                "one worker at a time spins before it sleeps, where there are CPUs for it",
                "a worker is woken only if one sleeps and none is on its way",
                "one buffer per connection: nothing copied or allocated per request",
                ContenderSockets.TUNING);
    }

    @Override
    public RunningServer start(ServerSettings settings) throws IOException {
        try {
            return new Running(HalfSyncHalfReactiveServer.start(
                    Kernels.system(),
                    ContenderSockets.anyPort(),
                    ContenderSockets.BACKLOG,
                    settings.threadsElse(ServerSettings.DEFAULT_THREADS),
                    settings.work()));
        } catch (KernelUnavailableException none) {
            throw new IOException(none.getMessage(), none);
        }
    }

    private record Running(HalfSyncHalfReactiveServer server) implements RunningServer {

        @Override
        public InetSocketAddress address() {
            return server.address();
        }

        @Override
        public String details() {
            return server.description();
        }

        @Override
        public void close() {
            server.close();
        }
    }
}

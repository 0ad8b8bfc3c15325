package org.cabrank.bench.rival.since21;

import org.cabrank.bench.contender.ContenderSockets;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.rival.Frameworks;
import org.glassfish.grizzly.Grizzly;
import org.glassfish.grizzly.memory.PooledMemoryManager;
import org.glassfish.grizzly.nio.transport.TCPNIOTransport;
import org.glassfish.grizzly.strategies.LeaderFollowerNIOStrategy;
import org.glassfish.grizzly.threadpool.ThreadPoolConfig;

final class GrizzlyTransports {

    private GrizzlyTransports() {}

    static void configure(TCPNIOTransport transport, ServerSettings settings) {
        int threads = threads(settings);
        transport.setIOStrategy(LeaderFollowerNIOStrategy.getInstance());
        transport.setSelectorRunnersCount(1);
        transport.setWorkerThreadPoolConfig(ThreadPoolConfig.defaultConfig()
                .copy()
                .setPoolName("grizzly")
                .setCorePoolSize(threads)
                .setMaxPoolSize(threads));
        transport.setMemoryManager(new PooledMemoryManager());
        transport.setTcpNoDelay(true);
        transport.setServerConnectionBackLog(ContenderSockets.BACKLOG);
    }

    static String details(ServerSettings settings) {
        return Frameworks.nameOfJar(Grizzly.class) + ", " + LeaderFollowerNIOStrategy.class.getSimpleName()
                + ", one selector, " + threads(settings) + " threads";
    }

    private static int threads(ServerSettings settings) {
        return settings.threadsElse(ServerSettings.DEFAULT_THREADS);
    }
}

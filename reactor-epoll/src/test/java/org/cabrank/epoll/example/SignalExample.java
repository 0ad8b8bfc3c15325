package org.cabrank.epoll.example;

import java.io.IOException;
import java.time.Duration;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernels;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.source.ReceivedSignal;
import org.cabrank.socket.source.SignalSource;

/**
 * A service that reports on SIGUSR1 and ends on SIGWINCH, both as events of its pool. To be started with the signals
 * blocked: {@code env --block-signal=USR1 --block-signal=WINCH java ...}.
 */
public final class SignalExample {
    private SignalExample() {}

    public static void main(String[] args) throws Exception {
        EpollHandleSet set = new EpollHandleSet(Kernels.system(), Deactivation.CLAIM);
        LeaderFollowersPool pool = new LeaderFollowersPool(set, PoolConfig.of("service", 2));
        SignalSource.open(set, (source, signal) -> handle(pool, signal), Events.SIGUSR1, Events.SIGWINCH);
        pool.start();
        System.out.println("ready");
        while (!pool.awaitTermination(Duration.ofHours(1))) {
            System.out.println("still there: " + pool.counters());
        }
        set.close();
    }

    private static void handle(LeaderFollowersPool pool, ReceivedSignal signal) throws IOException {
        if (signal.number() == Events.SIGUSR1) {
            System.out.println("process " + signal.senderPid() + " asks: " + pool.counters());
        } else {
            pool.stop();
        }
    }
}

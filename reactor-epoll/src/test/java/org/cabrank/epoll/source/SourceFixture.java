package org.cabrank.epoll.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.cabrank.epoll.EpollHandleSet;
import org.cabrank.epoll.TestKernel;
import org.cabrank.lf.Deactivation;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;

/** A set that sources are opened in, under each kernel and deactivation, one thread and several; and nothing is left. */
@Timeout(60)
abstract class SourceFixture {
    record Mode(TestKernel kernel, Deactivation deactivation, int threads) {
        @Override
        public String toString() {
            return kernel.name() + " " + deactivation + " " + threads;
        }
    }

    @Parameter
    Mode mode;

    protected ScriptedKernel kernel;
    protected EpollHandleSet set;
    private final List<LeaderFollowersPool> pools = new ArrayList<>();

    static Stream<Mode> modes() {
        List<Mode> modes = new ArrayList<>();
        for (TestKernel kernel : TestKernel.all()) {
            for (Deactivation deactivation : Deactivation.values()) {
                modes.add(new Mode(kernel, deactivation, 1));
                modes.add(new Mode(kernel, deactivation, 3));
            }
        }
        return modes.stream();
    }

    @BeforeEach
    final void open() throws IOException {
        kernel = new ScriptedKernel(mode.kernel().kernel());
        set = new EpollHandleSet(kernel, mode.deactivation());
    }

    @AfterEach
    final void nothingIsLeft() {
        if (set == null) {
            return; // the kernel is not to be had
        }
        pools.forEach(LeaderFollowersPool::close);
        set.close();
        assertEquals(0, set.handleCount());
        assertEquals(Set.of(), kernel.open());
        assertEquals(Set.of(), kernel.closedWrongly());
        assertTrue(kernel.answeredAll(), "the script was not played to its end");
    }

    protected final LeaderFollowersPool serve() {
        LeaderFollowersPool pool = new LeaderFollowersPool(
                set, PoolConfig.of("sources", mode.threads()).withPromotion(Promotion.eager()));
        pools.add(pool);
        pool.start();
        return pool;
    }

    protected static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Takes all of it. */
    protected static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }
}

package org.cabrank.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.List;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.stream.transport.StreamBackend;
import org.cabrank.stream.transport.StreamSettings;
import org.junit.jupiter.api.Test;

/** The choice among backends. */
class BackendTest {
    private static final int SEVERAL = 3;

    private final Some ring = new Some("ring", true);
    private final Some epoll = new Some("epoll", false);

    /** Opens a backend of its own, or refuses. */
    private static final class Some implements BackendProvider {
        private final StreamBackend backend = new PostsOnlyBackend();
        private final String name;
        private final boolean forOneThread;
        private boolean works = true;

        Some(String name, boolean forOneThread) {
            this.name = name;
            this.forOneThread = forOneThread;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public int rank() {
            return 0;
        }

        @Override
        public String refusal(StreamSettings settings) {
            return forOneThread && settings.threadsPerShard() > 1 ? name + ": is for one thread" : null;
        }

        @Override
        public StreamBackend open(StreamSettings settings) throws IOException {
            if (!works) {
                throw new BackendUnavailableException(name + ": is not to be had");
            }
            if (refusal(settings) != null) {
                throw new BackendUnavailableException(refusal(settings));
            }
            return backend;
        }
    }

    private static final StreamSettings GROWING = settings(PoolConfig.GROWING_TO, true);

    private static StreamSettings settings(int threads, boolean grows) {
        return new StreamSettings(
                1,
                threads,
                grows,
                Deactivation.CLAIM,
                StreamLimits.DEFAULT,
                StreamTimeouts.DEFAULT,
                ThreadPlacement.NONE);
    }

    private Backend.Opened opened(Backend wanted, StreamSettings settings) throws IOException {
        return wanted.open(settings, List.of(ring, epoll));
    }

    private Backend.Opened chosenFor(int threads) throws IOException {
        return opened(Backend.auto(), settings(threads, false));
    }

    @Test
    void shardsThatGrowAreServedByABackendForSeveralThreads() throws IOException {
        assertEquals(
                new Backend.Opened(epoll.backend, GROWING, "ring: is for one thread"), opened(Backend.auto(), GROWING));
    }

    @Test
    void backendForOneThreadHasOneThreadForEachShardIfNothingElseWorks() throws IOException {
        epoll.works = false;
        assertEquals(
                new Backend.Opened(ring.backend, settings(1, false), "the first by rank that works here"),
                opened(Backend.auto(), GROWING));
    }

    @Test
    void backendForOneThreadThatIsAskedForByNameSaysThatItsShardsDoNotGrow() throws IOException {
        for (Backend asked : List.of(Backend.named("ring"), Backend.of(ring))) {
            assertEquals(
                    new Backend.Opened(ring.backend, settings(1, false), "1 thread per shard: ring: is for one thread"),
                    opened(asked, GROWING));
        }
    }

    @Test
    void numberOfThreadsThatWasChosenIsNotChanged() {
        assertThrows(BackendUnavailableException.class, () -> opened(Backend.named("ring"), settings(SEVERAL, false)));
    }

    @Test
    void theFirstByRankServesOneThread() throws IOException {
        assertEquals(
                new Backend.Opened(ring.backend, settings(1, false), "the first by rank that works here"),
                chosenFor(1));
    }

    @Test
    void oneThatCannotServeSeveralThreadsIsPassedOverWithTheReason() throws IOException {
        Backend.Opened chosen = chosenFor(SEVERAL);
        assertEquals(new Backend.Opened(epoll.backend, settings(SEVERAL, false), "ring: is for one thread"), chosen);
        assertEquals(epoll.backend.description() + " [ring: is for one thread]", chosen.description());
    }

    @Test
    void allReasonsAreGivenWhereNoneWorks() {
        epoll.works = false;
        ring.works = false;
        assertEquals(
                "no backend works here: ring: is for one thread; epoll: is not to be had",
                assertThrows(BackendUnavailableException.class, () -> chosenFor(SEVERAL))
                        .getMessage());
    }
}

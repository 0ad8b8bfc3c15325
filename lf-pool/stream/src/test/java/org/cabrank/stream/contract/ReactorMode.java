package org.cabrank.stream.contract;

import org.cabrank.lf.Deactivation;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Waiting;
import org.cabrank.stream.AcceptMode;
import org.cabrank.stream.BackendProvider;

/**
 * Construction of the reactor under test.
 *
 * @param name for the report
 * @param provider makes the backend; a new one for each reactor
 * @param threads for each shard
 */
public record ReactorMode(
        String name,
        BackendProvider provider,
        int threads,
        Promotion promotion,
        Deactivation deactivation,
        Waiting waiting,
        int shards,
        AcceptMode accept) {

    /** One shard, unless the test wants several. */
    public ReactorMode(
            String name,
            BackendProvider provider,
            int threads,
            Promotion promotion,
            Deactivation deactivation,
            Waiting waiting) {
        this(name, provider, threads, promotion, deactivation, waiting, 1, AcceptMode.EXCLUSIVE);
    }

    /** Several shards, and how they share an address. */
    public ReactorMode withShards(int count, AcceptMode sharing) {
        return new ReactorMode(
                name + " " + count + " shards " + sharing,
                provider,
                threads,
                promotion,
                deactivation,
                waiting,
                count,
                sharing);
    }

    @Override
    public String toString() {
        return name;
    }
}

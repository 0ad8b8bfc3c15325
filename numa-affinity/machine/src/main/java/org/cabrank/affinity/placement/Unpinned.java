package org.cabrank.affinity.placement;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.limits.ProcessLimits;
import org.cabrank.affinity.topology.Topology;

/** The scheduler puts every thread where it likes. */
record Unpinned() implements Placement {
    static final String NAME = "none";

    @Override
    public PlacementPlan plan(Topology topology, ProcessLimits limits, int shards, int threadsPerShard, boolean strict)
            throws PlacementException {
        Planning planning = new Planning(topology, limits, shards, threadsPerShard, strict);
        int count = planning.shards(Math.max(1, limits.usable().size() / threadsPerShard));
        String why = "not pinned: the scheduler moves its threads among CPU " + limits.usable();
        List<ShardPlace> places = new ArrayList<>();
        for (int shard = 0; shard < count; shard++) {
            places.add(planning.anywhere(shard, why));
        }
        return planning.plan(this, "nothing is pinned", places);
    }

    @Override
    public String description() {
        return "nothing is pinned";
    }

    @Override
    public String toString() {
        return NAME;
    }
}

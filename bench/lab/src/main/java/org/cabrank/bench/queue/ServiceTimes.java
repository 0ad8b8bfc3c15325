package org.cabrank.bench.queue;

import java.util.random.RandomGenerator;

/** Distribution of the times for which a request keeps a server of a queue. */
@FunctionalInterface
public interface ServiceTimes {

    /** Returns the time of the next request, in the unit of the queue. */
    double draw(RandomGenerator random);
}

package org.cabrank.bench.run;

import org.cabrank.bench.scenario.Needs;

/** Programs that load servers. */
record Loaders(Loader own, Loader wrk) {

    /** The program that loads the servers of a group. */
    Loader of(Needs needs) {
        return needs.byWrk() ? wrk : own;
    }
}

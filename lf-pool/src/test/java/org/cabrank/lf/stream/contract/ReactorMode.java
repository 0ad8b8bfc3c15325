package org.cabrank.lf.stream.contract;

import org.cabrank.lf.Deactivation;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.Waiting;
import org.cabrank.lf.stream.BackendProvider;

/**
 * How the reactor under test is built.
 *
 * @param name for the report
 * @param provider makes the backend; a new one for each reactor
 */
public record ReactorMode(
        String name,
        BackendProvider provider,
        int threads,
        Promotion promotion,
        Deactivation deactivation,
        Waiting waiting) {

    @Override
    public String toString() {
        return name;
    }
}

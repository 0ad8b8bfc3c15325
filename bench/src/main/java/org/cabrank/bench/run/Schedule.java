package org.cabrank.bench.run;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.contender.Contender;

/**
 * Who runs when. All contenders run in every round, so that what changes slowly (a neighbour on the machine, its
 * temperature) meets all of them; each round begins with another one, so that none always follows the same.
 */
record Schedule(List<Turn> turns) {

    /**
     * One run.
     *
     * @param round from 1
     * @param position in its round, from 1
     */
    record Turn(int round, int position, Contender contender) {}

    static Schedule of(List<Contender> contenders, int rounds) {
        List<Turn> turns = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            for (int position = 0; position < contenders.size(); position++) {
                Contender contender = contenders.get((position + round) % contenders.size());
                turns.add(new Turn(round + 1, position + 1, contender));
            }
        }
        return new Schedule(List.copyOf(turns));
    }
}

package org.cabrank.lf.leadership;

/** The handle sets without a leader, in the order in which they have lost it. Guarded by the lock of {@link Followers}. */
public final class Vacancies {
    private final int[] sets;
    private int first;
    private int count;

    Vacancies(int setCount) {
        sets = new int[setCount];
        for (int set = 0; set < setCount; set++) {
            add(set);
        }
    }

    void add(int set) {
        sets[(first + count++) % sets.length] = set;
    }

    int take() {
        if (count == 0) {
            return -1;
        }
        int set = sets[first];
        first = (first + 1) % sets.length;
        count--;
        return set;
    }
}

package org.cabrank.lf;

/** A handle of no descriptor, with a digit for a name. */
final class RaceHandle extends Handle {
    final int digit;

    RaceHandle(HandleSet set, int digit) {
        super(set, (handle, ready) -> {});
        this.digit = digit;
    }

    @Override
    public String toString() {
        return "handle " + digit;
    }
}

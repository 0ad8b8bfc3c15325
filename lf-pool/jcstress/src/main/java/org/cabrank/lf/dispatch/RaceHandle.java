package org.cabrank.lf.dispatch;

/** A handle of no descriptor, with a digit for a name. */
final class RaceHandle extends HandleState {
    final int digit;

    RaceHandle(int digit) {
        super(false, 0);
        this.digit = digit;
    }

    @Override
    public String toString() {
        return "handle " + digit;
    }
}

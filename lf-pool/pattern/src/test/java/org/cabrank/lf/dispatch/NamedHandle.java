package org.cabrank.lf.dispatch;

/** A handle that has a name and nothing to watch. */
final class NamedHandle extends HandleState {
    private final String name;

    NamedHandle(String name) {
        super(false, 0);
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }
}

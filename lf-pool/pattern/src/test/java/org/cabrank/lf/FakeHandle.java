package org.cabrank.lf;

import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.HandleSet;

/** A handle of {@link FakeHandleSet}: a name instead of a descriptor. */
final class FakeHandle extends Handle {
    private final String name;

    FakeHandle(HandleSet set, String name, EventHandler handler) {
        this(set, name, handler, false);
    }

    FakeHandle(HandleSet set, String name, EventHandler handler, boolean concurrent) {
        this(set, name, handler, concurrent, 0);
    }

    FakeHandle(HandleSet set, String name, EventHandler handler, boolean concurrent, int alsoWhenDetained) {
        super(set, handler, concurrent, alsoWhenDetained);
        this.name = name;
    }

    @Override
    public String toString() {
        return name;
    }
}

package org.cabrank.bench.live;

import java.io.IOException;

/** Output of live figures. */
interface LiveDisplay extends AutoCloseable {
    void show(LiveFigures figures) throws IOException;

    /** Removes the display from the terminal. A second call has no effect. May be called by any thread. */
    @Override
    void close();
}

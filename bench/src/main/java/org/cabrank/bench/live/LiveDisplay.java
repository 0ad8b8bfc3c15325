package org.cabrank.bench.live;

import java.io.IOException;

/** Output of live figures. */
interface LiveDisplay extends AutoCloseable {
    void show(LiveFigures figures) throws IOException;

    /** As if there had been none. A second call has no effect. Any thread. */
    @Override
    void close();
}

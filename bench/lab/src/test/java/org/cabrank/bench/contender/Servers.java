package org.cabrank.bench.contender;

import java.io.IOException;
import org.opentest4j.TestAbortedException;

/** Contenders for tests. */
final class Servers {

    private Servers() {}

    /** Starts a contender; skips the test, with the contender's reason, if this machine cannot run it. */
    static RunningServer start(String name, ServerSettings settings) throws IOException {
        try {
            return Contenders.named(name).start(settings);
        } catch (ContenderUnavailableException notHere) {
            throw new TestAbortedException(notHere.getMessage(), notHere);
        }
    }
}

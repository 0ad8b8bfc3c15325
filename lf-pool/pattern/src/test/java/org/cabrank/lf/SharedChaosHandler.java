package org.cabrank.lf;

import java.util.concurrent.ThreadLocalRandom;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;

/** Consumes the items of a concurrent handle, several calls at a time. */
final class SharedChaosHandler implements EventHandler {
    private final StressRun run;
    private final int place;

    SharedChaosHandler(StressRun run, int place) {
        this.run = run;
        this.place = place;
    }

    @Override
    public void handleEvent(Handle handle, int ready) throws Exception {
        MemoryHandle own = (MemoryHandle) handle;
        own.ledger.begin(Ready.describe(ready));
        try {
            if ((ready & Ready.POSTED) != 0) {
                own.ledger.seePosts();
            }
            for (Long item = own.set().read(own); item != null; item = own.set().read(own)) {
                own.ledger.consume(item);
                makeMischief(own);
            }
        } finally {
            own.ledger.end();
        }
    }

    private void makeMischief(MemoryHandle own) throws Exception {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int dice = random.nextInt(1000);
        if (dice < 300) {
            ChaosHandler.spin(random.nextInt(20_000));
        } else if (dice < 380) {
            run.pool.promoteNewLeader();
        } else if (dice < 420) {
            run.post(own);
        } else if (dice < 423) {
            own.close();
        } else if (dice < 426) {
            throw new ChaosHandler.Mischief();
        }
    }

    @Override
    public void handleClosed(Handle handle, Throwable cause) {
        run.closed((MemoryHandle) handle, place);
    }
}

package org.cabrank.bench.load;

/** Stands, and is asked once when it has come and once at the end. */
final class IdleConnection extends RequestConnection {

    IdleConnection(LoadWorker worker, int index, int place, int sizeBytes, SendingPace unpaced) {
        super(worker, index, place, sizeBytes, 1, unpaced);
    }

    @Override
    String role() {
        return "idle connection: ";
    }

    /** Asks whether it still lives. */
    void ask(long nowNs) {
        if (room() > 0 && open()) {
            request(nowNs);
            flush();
        }
    }
}

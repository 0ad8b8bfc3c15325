package org.cabrank.bench.load;

/** Sends one request after connecting, and one at the end of the run. */
final class IdleConnection extends RequestConnection {

    IdleConnection(LoadWorker worker, int index, int place, int sizeBytes, SendingPace unpaced) {
        super(worker, index, place, sizeBytes, 1, unpaced);
    }

    @Override
    String role() {
        return "idle connection: ";
    }

    void ask(long nowNs) {
        if (room() > 0 && open()) {
            request(nowNs);
            flush();
        }
    }
}

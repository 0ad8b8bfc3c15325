package org.cabrank.bench.load;

/** The room that a worker's connections have for requests, and which takes the next. Belongs to the worker's thread. */
interface Slots {

    /** All room that there is now. */
    void begin(Requester[] active);

    /** Room for one more request. */
    void free(Requester requester);

    /** Reserves room for one request and returns its connection; null if no connection has room. */
    Requester next();
}

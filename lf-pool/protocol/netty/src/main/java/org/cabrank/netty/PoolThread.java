package org.cabrank.netty;

import io.netty.util.concurrent.FastThreadLocalThread;

/** A thread that runs pipelines and has Netty's fast thread locals. */
final class PoolThread extends FastThreadLocalThread {
    PoolThread(Runnable target, String name, boolean daemon) {
        super(target, name);
        setDaemon(daemon);
    }

    /** Returns true, so that checks for blocking calls on event loops ignore this thread: it may block. */
    @Override
    public boolean permitBlockingCalls() {
        return true;
    }
}

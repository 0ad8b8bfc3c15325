package org.cabrank.netty;

import io.netty.util.concurrent.FastThreadLocalThread;

/** A thread that runs pipelines and has Netty's fast thread locals. */
final class PoolThread extends FastThreadLocalThread {
    PoolThread(Runnable target, String name, boolean daemon) {
        super(target, name);
        setDaemon(daemon);
    }

    /** Returns true, because this thread may block. Checks for blocking calls on event loops then ignore the thread. */
    @Override
    public boolean permitBlockingCalls() {
        return true;
    }
}

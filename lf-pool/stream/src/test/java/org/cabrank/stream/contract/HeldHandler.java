package org.cabrank.stream.contract;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import org.cabrank.stream.Connection;
import org.cabrank.stream.ConnectionHandler;

/** Reads what comes, and stays in its first callback until it is released. */
final class HeldHandler implements ConnectionHandler {
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    @Override
    public void data(Connection connection, ByteBuffer data) throws InterruptedException {
        data.position(data.limit());
        entered.countDown();
        released.await();
    }

    void awaitEntered() throws InterruptedException {
        entered.await();
    }

    void release() {
        released.countDown();
    }
}

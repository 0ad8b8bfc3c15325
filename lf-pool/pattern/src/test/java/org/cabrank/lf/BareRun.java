package org.cabrank.lf;

import java.util.concurrent.CountDownLatch;
import org.cabrank.lf.observe.BeanRegistration;

/** The main class of a process of its own: a pool that processes events, without anything else of a test. */
final class BareRun {
    private static final int TASKS = 1_000;

    private BareRun() {}

    /** @param arguments {@code jmx}: the pool is to be shown over JMX, and how that ended is printed */
    public static void main(String[] arguments) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(TASKS);
        try (RealPool pool = new RealPool(2)) {
            for (int i = 0; i < TASKS; i++) {
                pool.run(() -> {
                    pool.pool.promoteNewLeader();
                    done.countDown();
                });
            }
            done.await();
            System.out.println("processed " + TASKS);
            if (arguments.length > 0) {
                try (BeanRegistration shown = pool.pool.registerBean()) {
                    System.out.println("shown as " + shown.objectName());
                } catch (IllegalStateException refused) {
                    System.out.println("refused: " + refused.getMessage());
                }
            }
        }
    }
}

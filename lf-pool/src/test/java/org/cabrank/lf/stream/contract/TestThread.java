package org.cabrank.lf.stream.contract;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A thread of a test whose failure fails the test: {@link #join} throws an assertion error for whatever the thread threw. In a
 * bare thread a failed assertion ends that thread, and the test passes.
 */
public final class TestThread {
    /** The task of the thread. */
    public interface Body {
        void run() throws Exception;
    }

    private final FutureTask<Void> task;
    private final Thread thread;

    private TestThread(String name, Body body) {
        task = new FutureTask<>(() -> {
            body.run();
            return null;
        });
        thread = new Thread(task, name);
    }

    /** Creates the thread and starts it. */
    public static TestThread start(String name, Body body) {
        TestThread started = new TestThread(name, body);
        started.thread.start();
        return started;
    }

    public boolean isAlive() {
        return !task.isDone();
    }

    /** Fails if the thread has ended with a failure; returns at once, whether it has ended or not. */
    public void check() throws InterruptedException {
        if (task.isDone()) {
            join();
        }
    }

    /** Waits until the thread has ended, at most {@link Await#PATIENCE_NS}; fails if it threw, or does not end. */
    public void join() throws InterruptedException {
        try {
            task.get(Await.PATIENCE_NS, TimeUnit.NANOSECONDS);
            thread.join();
        } catch (ExecutionException failed) {
            throw new AssertionError(thread.getName() + " failed: " + failed.getCause(), failed.getCause());
        } catch (TimeoutException stuck) {
            AssertionError failure = new AssertionError(thread.getName() + " does not end");
            failure.setStackTrace(thread.getStackTrace());
            throw failure;
        }
    }

    @Override
    public String toString() {
        return thread.getName();
    }
}

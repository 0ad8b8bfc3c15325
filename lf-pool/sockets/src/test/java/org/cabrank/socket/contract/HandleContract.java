package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.TimerSpec;
import org.cabrank.lf.LeaderFollowersPool;
import org.cabrank.lf.PoolConfig;
import org.cabrank.lf.Promotion;
import org.cabrank.lf.fixture.Await;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.lf.handle.EventHandler;
import org.cabrank.lf.handle.Handle;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorHandle;
import org.junit.jupiter.api.Test;

/** Handles of any kind in a set: what is dispatched, when, and to whom. */
public abstract class HandleContract extends DescriptorContract {
    @Test
    void eventfdIsWatched() throws Exception {
        Counting counting = new Counting();
        int fd = eventFd();
        DescriptorHandle handle = set.register(fd, Ready.READ, counting);
        assertEquals(fd, handle.fd());
        assertEquals(Ready.READ, handle.interest());
        serve();
        for (int i = 1; i <= 20; i++) {
            int expected = i;
            signal(fd);
            Await.until("signal " + i + " was counted", () -> counting.sum.get() == expected);
        }
    }

    @Test
    void timerfdIsWatched() throws Exception {
        Counting counting = new Counting();
        int fd = Errno.check(
                "timerfd", kernel.timerfdCreate(Events.CLOCK_MONOTONIC, Events.TFD_NONBLOCK | Events.TFD_CLOEXEC));
        set.register(fd, Ready.READ, counting);
        serve();
        ByteBuffer every = ByteBuffer.allocateDirect(TimerSpec.SIZE_BYTES).order(ByteOrder.nativeOrder());
        every.putLong(TimerSpec.VALUE_NSEC_OFFSET, 1_000_000).putLong(TimerSpec.INTERVAL_NSEC_OFFSET, 1_000_000);
        Errno.check("settime", kernel.timerfdSettime(fd, 0, kernel.addressOf(every), 0));
        Await.until("it fired again and again", () -> counting.sum.get() >= 5);
    }

    @Test
    void handlesOwnTimerFires() throws Exception {
        AtomicInteger timers = new AtomicInteger();
        Handle handle = set.register(eventFd(), Ready.READ, (own, ready) -> {
            assertEquals(Ready.TIMER, ready & Ready.TIMER);
            if (timers.incrementAndGet() < 3) {
                own.scheduleTimer(set.nanoTime() + 1_000_000);
            }
        });
        serve();
        long dueNs = set.nanoTime() + 5_000_000;
        handle.scheduleTimer(dueNs);
        Await.until("it fired three times", () -> timers.get() == 3);
        assertTrue(set.nanoTime() >= dueNs + 2_000_000, "not before its time");
    }

    private EventHandler closingWhen(CountDownLatch entered, CountDownLatch gate, CountDownLatch closed) {
        Counting signals = new Counting();
        return new EventHandler() {
            @Override
            public void handleEvent(Handle handle, int ready) throws Exception {
                signals.handleEvent(handle, ready); // else whoever leads next may find it readable still
                LeaderFollowersPool.of(handle.handleSet()).promoteNewLeader();
                entered.countDown();
                gate.await();
                handle.close();
            }

            @Override
            public void handleClosed(Handle handle, Throwable cause) {
                closed.countDown();
            }
        };
    }

    /**
     * Returns true if a new eventfd has the descriptor {@code number}; the eventfd stays open then. Eventfds with lower
     * numbers stay open too and are added to {@code below}: other threads of the JVM open files now and then, and the
     * kernel would return a number that one of them has freed again and again.
     */
    private boolean isGivenOut(int number, List<Integer> below) {
        try {
            for (int fd = eventFd(); ; fd = eventFd()) {
                if (fd == number) {
                    return true;
                }
                if (fd > number) { // somebody has it at this moment
                    kernel.close(fd);
                    return false;
                }
                below.add(fd);
            }
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    /**
     * One harvest reports two handles. Before the harvesting thread dispatches the second, another thread closes that
     * handle, and a third handle gets its descriptor number and slot: the harvested event must not reach the third. Both
     * handles have been active under both leaders, so that they are reported in the order of the signals: a ring may report
     * later what an earlier leader has armed.
     */
    @Test
    void eventOfAClosedHandleIsDropped() throws Exception {
        assumeTrue(
                mode.threads() > 1 && mode.deactivation() == Deactivation.CLAIM,
                "it takes a second thread, and a handle that is still armed while it is processed");
        CountDownLatch goneEntered = new CountDownLatch(1);
        CountDownLatch goneGate = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(1);
        CountDownLatch busyEntered = new CountDownLatch(1);
        CountDownLatch busyGate = new CountDownLatch(1);
        CountDownLatch registered = new CountDownLatch(1);
        Counting first = new Counting();
        Counting third = new Counting();
        int busyFd = eventFd();
        int firstFd = eventFd();
        int goneFd = eventFd();
        set.register(busyFd, Ready.READ, (handle, ready) -> {
            busyEntered.countDown();
            busyGate.await();
        });
        set.register(firstFd, Ready.READ, (handle, ready) -> {
            first.handleEvent(handle, ready);
            if (first.sum.get() < 3) {
                return;
            }
            goneGate.countDown();
            gone.await();
            List<Integer> below = new ArrayList<>();
            Await.until("the number is given out again, the lowest that is free", () -> isGivenOut(goneFd, below));
            below.forEach(kernel::close);
            set.register(goneFd, Ready.READ, third);
            registered.countDown();
        });
        set.register(goneFd, Ready.READ, closingWhen(goneEntered, goneGate, gone));
        LeaderFollowersPool pool = serve(new LeaderFollowersPool(
                set, PoolConfig.of("handles", 2).withPromotion(Promotion.deferred(Duration.ofSeconds(1)))));

        signal(firstFd);
        Await.until("the first was served by one leader", () -> first.sum.get() == 1);
        signal(goneFd); // one thread is in the handler of the handle that will be gone
        goneEntered.await();
        signal(firstFd);
        Await.until("the first was served by the other leader", () -> first.sum.get() == 2);
        signal(busyFd); // the other is busy, so that it harvests the next two together
        busyEntered.await();
        signal(firstFd);
        signal(goneFd);
        busyGate.countDown();
        registered.await();
        Await.until("the stale event was dropped", () -> pool.counters().staleEvents() == 1);
        assertEquals(0, third.calls.get());
        signal(goneFd);
        Await.until("the third is served", () -> third.sum.get() == 1);
        assertEquals(1, third.calls.get());
    }

    @Test
    void deactivatedHandleIsServedWhenItIsReactivated() throws Exception {
        Counting counting = new Counting();
        Counting other = new Counting();
        int fd = eventFd();
        int otherFd = eventFd();
        Handle handle = set.register(fd, Ready.READ, counting);
        set.register(otherFd, Ready.READ, other);
        LeaderFollowersPool pool = serve();
        for (int i = 1; i <= 5; i++) {
            int expected = i;
            pool.deactivateHandle(handle);
            signal(fd);
            signal(otherFd);
            Await.until("the other was served", () -> other.sum.get() == expected);
            assertEquals(i - 1, counting.sum.get());
            pool.reactivateHandle(handle);
            Await.until("what had become ready is served", () -> counting.sum.get() == expected);
        }
    }

    /** A handle that always posts to itself; the kernel's events of other handles are seen all the same. */
    @Test
    void handleThatPostsToItselfDoesNotStarveOthers() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        Handle busy = set.register(eventFd(), Ready.READ, (own, ready) -> {
            rounds.incrementAndGet();
            own.post(Ready.POSTED);
        });
        Counting counting = new Counting();
        int fd = eventFd();
        set.register(fd, Ready.READ, counting);
        serve();
        busy.post(Ready.POSTED);
        for (int i = 1; i <= 5; i++) {
            int expected = i;
            signal(fd);
            Await.until("the other is served", () -> counting.sum.get() == expected);
        }
        assertTrue(rounds.get() > 0);
    }
}

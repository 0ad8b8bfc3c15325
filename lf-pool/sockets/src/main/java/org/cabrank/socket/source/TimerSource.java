package org.cabrank.socket.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.TimerSpec;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorSet;

/**
 * A timer of the kernel as events of a handle set (timerfd_create(2)). It follows changes of the wall clock. For delays the timers of a
 * pool ({@link org.cabrank.lf.Timers}) cost less. Any thread may call the methods. After the close, they throw an IOException.
 */
public final class TimerSource extends Source {
    private static final int COUNT_BYTES = 8;

    private final TimerSourceHandler handler;
    private final ByteBuffer count = direct(COUNT_BYTES);
    private final long countAddress;

    private TimerSource(DescriptorSet set, int fd, TimerSourceHandler handler) {
        super(set, fd);
        this.handler = handler;
        this.countAddress = set.kernel().addressOf(count);
    }

    /** Makes a timer that is not set. */
    public static TimerSource open(DescriptorSet set, TimerSourceHandler handler) throws IOException {
        Objects.requireNonNull(handler, "handler");
        int flags = Events.TFD_NONBLOCK | Events.TFD_CLOEXEC;
        int opened = Errno.check("timerfd_create", set.kernel().timerfdCreate(Events.CLOCK_REALTIME, flags));
        TimerSource source = make(set, opened, fd -> new TimerSource(set, fd, handler));
        source.start(Ready.READ);
        return source;
    }

    /**
     * Sets the timer to a delay of 1 ns or more. A change of the wall clock does not affect the delay. Replaces an earlier setting.
     *
     * @param period time between later expirations. If it is 0, the timer expires once
     */
    public void after(Duration first, Duration period) throws IOException {
        if (first.isZero() || first.isNegative()) {
            throw new IllegalArgumentException("a timer expires after 1 ns or more, not after " + first);
        }
        set(0, first.getSeconds(), first.getNano(), period);
    }

    /**
     * Sets the timer to a time of the wall clock after 1970; a time in the past expires at once. Replaces an earlier setting.
     *
     * @param period as in {@link #after}
     */
    public void at(Instant first, Duration period) throws IOException {
        if (first.compareTo(Instant.EPOCH) <= 0) {
            throw new IllegalArgumentException("a timer expires at a time after 1970, not at " + first);
        }
        set(Events.TFD_TIMER_ABSTIME, first.getEpochSecond(), first.getNano(), period);
    }

    /** Stops the timer; earlier expirations are still handled. */
    public void stop() throws IOException {
        set(0, 0, 0, Duration.ZERO);
    }

    private void set(int flags, long seconds, long nanos, Duration period) throws IOException {
        if (period.isNegative()) {
            throw new IllegalArgumentException("a period is 0 or longer, not " + period);
        }
        ByteBuffer spec = direct(TimerSpec.SIZE_BYTES);
        spec.putLong(TimerSpec.INTERVAL_SEC_OFFSET, period.getSeconds());
        spec.putLong(TimerSpec.INTERVAL_NSEC_OFFSET, period.getNano());
        spec.putLong(TimerSpec.VALUE_SEC_OFFSET, seconds);
        spec.putLong(TimerSpec.VALUE_NSEC_OFFSET, nanos);
        synchronized (lock()) {
            if (isReleased()) {
                throw new IOException("the timer is closed");
            }
            Errno.check(
                    "timerfd_settime",
                    NativeArgument.pass(kernel(), spec, address -> kernel().timerfdSettime(fd(), flags, address, 0)));
        }
    }

    @Override
    boolean take() throws Exception {
        int read = read(countAddress, COUNT_BYTES);
        if (read < 0) {
            return false;
        }
        if (read != COUNT_BYTES) {
            throw new IOException(this + ": a read of " + COUNT_BYTES + " bytes brought " + read);
        }
        handler.handleExpired(this, count.getLong(0));
        return true;
    }

    @Override
    void handleClosed(Throwable cause) {
        handler.handleClosed(this, cause);
    }

    @Override
    public String toString() {
        return "timer " + fd();
    }
}

package org.cabrank.socket.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.layout.SignalInfo;
import org.cabrank.kernel.layout.SignalSet;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorSet;

/**
 * Signals to this process as events of a handle set (signalfd(2)). Any thread may call the methods.
 *
 * <ul>
 *   <li>Start the JVM with the signals blocked in every thread: {@code env --block-signal=USR1 java ...}. {@link #open} fails if a thread
 *       could take a signal, because most signals would then end the process. Native libraries must not unblock them.
 *   <li>Programs that this JVM starts inherit the blocked signals; {@code env --default-signal=USR1 program ...} unblocks them.
 *   <li>The kernel ignores a standard signal (1 to 31) if the same is pending. One event may therefore stand for several {@code kill}s,
 *       and it names only the first sender. Real-time signals (34 to 64) are queued, each with its sender, up to RLIMIT_SIGPENDING.
 *   <li>A source does not see signals to a single thread (tgkill(2), pthread_kill(3)), which the kernel shows only to that thread.
 *   <li>If several sources have the same signal, each event goes to one of them. Without a source, a signal stays pending.
 * </ul>
 */
public final class SignalSource extends Source {
    private final SignalHandler handler;
    private final String name;
    private final ByteBuffer info = direct(SignalInfo.SIZE_BYTES);
    private final long infoAddress;

    private SignalSource(DescriptorSet set, int fd, int[] signals, SignalHandler handler) {
        super(set, fd);
        this.handler = handler;
        this.infoAddress = set.kernel().addressOf(info);
        this.name = Arrays.stream(signals).mapToObj(Signals::name).collect(Collectors.joining(", ", "signals ", ""));
    }

    /**
     * Calls {@code handler} for each of the signals from now on.
     *
     * @param signals numbers as in signal(7), at least one
     * @throws IllegalArgumentException if no program, or no JVM, can wait for one of the signals
     * @throws IllegalStateException if a thread of this process does not block all of these signals. The message names the remedy
     */
    public static SignalSource open(DescriptorSet set, SignalHandler handler, int... signals) throws IOException {
        Objects.requireNonNull(handler, "handler");
        if (signals.length == 0) {
            throw new IllegalArgumentException("no signal is named that is to be waited for");
        }
        for (int signal : signals) {
            Signals.requireAllowed(signal, System.getenv("_JAVA_SR_SIGNUM"));
        }
        for (int signal : signals) {
            Signals.requireBlocked(signal);
        }
        int[] own = signals.clone();
        SignalSource source = make(set, descriptor(set.kernel(), own), fd -> new SignalSource(set, fd, own, handler));
        source.start(Ready.READ);
        return source;
    }

    private static int descriptor(Kernel kernel, int[] signals) throws IOException {
        ByteBuffer mask = direct(SignalSet.SIZE_BYTES);
        for (int signal : signals) {
            SignalSet.add(mask, signal);
        }
        return Errno.check(
                "signalfd",
                NativeArgument.pass(
                        kernel,
                        mask,
                        address -> kernel.signalfd(-1, address, Events.SFD_NONBLOCK | Events.SFD_CLOEXEC)));
    }

    /** Reads one signal at a time. If the handler fails, all other signals stay pending for the next source. */
    @Override
    boolean take() throws Exception {
        int count = read(infoAddress, SignalInfo.SIZE_BYTES);
        if (count < 0) {
            return false;
        }
        if (count != SignalInfo.SIZE_BYTES) {
            throw new IOException(this + ": a read of " + SignalInfo.SIZE_BYTES + " bytes brought " + count);
        }
        // Allocates an object for each signal, because signals are rare and handlers keep them.
        handler.handleSignal(
                this,
                new ReceivedSignal(
                        info.getInt(SignalInfo.SIGNO_OFFSET),
                        info.getInt(SignalInfo.CODE_OFFSET),
                        info.getInt(SignalInfo.PID_OFFSET),
                        info.getInt(SignalInfo.UID_OFFSET),
                        info.getInt(SignalInfo.STATUS_OFFSET),
                        info.getInt(SignalInfo.INT_OFFSET)));
        return true;
    }

    @Override
    void handleClosed(Throwable cause) {
        handler.handleClosed(this, cause);
    }

    @Override
    public String toString() {
        return name;
    }
}

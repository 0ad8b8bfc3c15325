package org.cabrank.socket.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Inotify;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.layout.InotifyEvent;
import org.cabrank.lf.handle.Ready;
import org.cabrank.socket.DescriptorSet;
import org.cabrank.socket.calls.Paths;

/**
 * File system changes as events of a handle set (inotify(7)), in the order of the changes across all watches of a source. The kernel merges
 * equal successive events that are not read yet. Any thread may call the methods.
 */
public final class InotifySource extends Source {
    /** A read returns whole events; the longest takes 272 bytes. */
    private static final int BUFFER_BYTES = 16 << 10;

    private static final int ASKED_FOR = Inotify.IN_ALL_EVENTS
            | Inotify.IN_ONLYDIR
            | Inotify.IN_DONT_FOLLOW
            | Inotify.IN_EXCL_UNLINK
            | Inotify.IN_ONESHOT;

    private final InotifyHandler handler;
    private final ByteBuffer buffer = direct(BUFFER_BYTES);
    private final long bufferAddress;

    private int next;

    private int end;

    /** Watches by descriptor. A watch stays here until the kernel reports its end. Guarded by the {@link #lock}. */
    private final Map<Integer, InotifyWatch> watches = new HashMap<>();

    private final AtomicLong staleEvents = new AtomicLong();
    private final AtomicLong overflows = new AtomicLong();

    private InotifySource(DescriptorSet set, int fd, InotifyHandler handler) {
        super(set, fd);
        this.handler = handler;
        this.bufferAddress = set.kernel().addressOf(buffer);
    }

    /** Opens a source that watches nothing yet. Fails with EMFILE if this user's limit is reached (fs.inotify.max_user_instances). */
    public static InotifySource open(DescriptorSet set, InotifyHandler handler) throws IOException {
        Objects.requireNonNull(handler, "handler");
        int opened = set.kernel().inotifyInit1(Inotify.IN_NONBLOCK | Inotify.IN_CLOEXEC);
        if (opened == -Errno.EMFILE) {
            throw Errno.exception(
                    "inotify_init1 (raise fs.inotify.max_user_instances, or the limit of open files, ulimit -n)",
                    opened);
        }
        Errno.check("inotify_init1", opened);
        InotifySource source = make(set, opened, fd -> new InotifySource(set, fd, handler));
        source.start(Ready.READ);
        return source;
    }

    /**
     * Watches a file, or a directory with its files, but not the files in its subdirectories.
     *
     * @param events events of {@link Inotify}, possibly with IN_ONLYDIR, IN_DONT_FOLLOW, IN_EXCL_UNLINK or IN_ONESHOT
     * @throws IllegalArgumentException if {@code events} contains no event, or a bit that is not allowed
     * @throws IllegalStateException if this source already watches the file, under this or another name
     * @throws IOException if the file is missing or unreadable, the limit fs.inotify.max_user_watches is reached, or the source is closed
     */
    public InotifyWatch watch(Path path, int events, WatchHandler watchHandler) throws IOException {
        Objects.requireNonNull(watchHandler, "watchHandler");
        if ((events & Inotify.IN_ALL_EVENTS) == 0 || (events & ~ASKED_FOR) != 0) {
            throw new IllegalArgumentException(
                    "at least one event and nothing but what can be asked for, not 0x" + Integer.toHexString(events));
        }
        ByteBuffer name = Paths.zeroTerminated(path);
        // The lock is held during the call, because an event of the new watch must find the watch in the map.
        synchronized (lock()) {
            if (isReleased()) {
                throw new IOException(this + " is closed and watches nothing more, " + path + " neither");
            }
            int added = NativeArgument.pass(
                    kernel(),
                    name,
                    address -> kernel().inotifyAddWatch(fd(), address, events | Inotify.IN_MASK_CREATE));
            if (added == -Errno.EEXIST) {
                throw new IllegalStateException(this + " watches this file already: " + path);
            }
            if (added < 0) {
                throw refusal(path, added);
            }
            InotifyWatch watch = new InotifyWatch(this, added, path, watchHandler);
            watches.put(added, watch);
            return watch;
        }
    }

    private static KernelException refusal(Path path, int result) {
        String remedy = switch (-result) {
            case Errno.ENOSPC -> " (raise fs.inotify.max_user_watches)";
            case Errno.EACCES -> " (it takes the permission to read)";
            default -> "";
        };
        return Errno.exception("inotify_add_watch of " + path + remedy, result);
    }

    void remove(InotifyWatch watch) throws IOException {
        synchronized (lock()) {
            if (isReleased() || watch.isRemoved()) {
                return;
            }
            int result = kernel().inotifyRmWatch(fd(), watch.descriptor());
            // EINVAL means that the watched file is gone. The kernel has then ended the watch and has queued an event
            // about the end.
            if (result < 0 && result != -Errno.EINVAL) {
                throw Errno.exception("inotify_rm_watch of " + watch.path(), result);
            }
            watch.markRemoved();
        }
    }

    /** Number of events that were dropped because their watch had been removed before the read. */
    public long staleEvents() {
        return staleEvents.get();
    }

    /** Number of times that the kernel's queue was full. */
    public long overflows() {
        return overflows.get();
    }

    @Override
    boolean take() throws Exception {
        if (next == end) {
            int count = read(bufferAddress, BUFFER_BYTES);
            if (count < 0) {
                return false;
            }
            next = 0;
            end = count;
        }
        int at = next;
        int length = buffer.getInt(at + InotifyEvent.LEN_OFFSET);
        next += InotifyEvent.SIZE_BYTES + length; // the position moves first, because the handler may wait for a reply
        handOver(at, length);
        return true;
    }

    private void handOver(int at, int nameLength) throws Exception {
        int descriptor = buffer.getInt(at + InotifyEvent.WD_OFFSET);
        int mask = buffer.getInt(at + InotifyEvent.MASK_OFFSET);
        if ((mask & Inotify.IN_Q_OVERFLOW) != 0) {
            overflows.incrementAndGet();
            handler.handleOverflow(this);
            return;
        }
        boolean last = (mask & Inotify.IN_IGNORED) != 0;
        InotifyWatch watch;
        synchronized (lock()) {
            watch = last ? watches.remove(descriptor) : watches.get(descriptor);
        }
        if (last && watch != null) {
            watch.markRemoved();
            watch.handler().handleRemoved(watch);
        } else if (watch == null || watch.isRemoved()) {
            staleEvents.incrementAndGet();
        } else {
            // Allocates an object for each event, because the name is a new string anyway and file events are rare.
            String name = nameLength == 0 ? null : Paths.name(buffer, at + InotifyEvent.NAME_OFFSET, nameLength);
            watch.handler()
                    .handleFileEvent(watch, new FileEvent(mask, buffer.getInt(at + InotifyEvent.COOKIE_OFFSET), name));
        }
    }

    @Override
    void handleClosed(Throwable cause) {
        List<InotifyWatch> left;
        synchronized (lock()) {
            left = List.copyOf(watches.values());
            watches.clear();
        }
        for (InotifyWatch watch : left) {
            watch.markRemoved();
            try {
                watch.handler().handleRemoved(watch);
            } catch (Throwable failure) { // the other handlers must still be called
                set().failures().log("handleRemoved of " + watch + " failed", failure);
            }
        }
        handler.handleClosed(this, cause);
    }

    @Override
    public String toString() {
        return "inotify fd " + fd();
    }
}

package org.cabrank.affinity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.cabrank.kernel.Kernel;

/**
 * Keeps pinned threads on their CPUs. A mask can change at any time: a CPU goes offline, the cpuset changes, an administrator uses
 * taskset(1). The kernel does not report this. Therefore {@link #check} reads the mask of every thread, with one system call for each.
 *
 * <p>The watch restores the planned CPUs as far as they are available. If all are unavailable, the thread gets the available CPUs of its
 * shard. When planned CPUs return, the thread gets them back. The listener receives a description of each change. It may stop a service
 * that insists on its placement ({@link MaskChange#asPlanned}).
 *
 * <p>Thread-safe. A daemon thread makes the checks while there are watched threads.
 */
public final class MaskWatch {
    private static final System.Logger LOGGER = System.getLogger(MaskWatch.class.getName());

    private static final String THREAD_NAME = "placement-watch";
    private static final Path SYSFS = Path.of("/sys");

    private final Affinity affinity;
    private final Kernel kernel;
    private final Supplier<Optional<CpuList>> onlineCpus;
    private final long periodNs;
    private final Consumer<MaskChange> listener;

    // The lock of this list guards the list and the field running.
    private final List<WatchedThread> threads = new ArrayList<>();

    private boolean running;

    /**
     * @param periodNs time between two checks, in ns. If 0, there are no checks except calls of {@link #check}
     * @param listener called by the thread that checks. The thread holds no lock during the call
     */
    public MaskWatch(Kernel kernel, long periodNs, Consumer<MaskChange> listener) {
        this(kernel, SYSFS, periodNs, listener);
    }

    MaskWatch(Kernel kernel, Path sysfsRoot, long periodNs, Consumer<MaskChange> listener) {
        this.affinity = new Affinity(kernel);
        this.kernel = kernel;
        this.periodNs = periodNs;
        this.onlineCpus = () -> online(sysfsRoot.resolve("devices/system/cpu/online"));
        this.listener = Objects.requireNonNull(listener, "listener");
    }

    /**
     * Pins the calling thread, and watches it until it ends or is pinned again.
     *
     * @param shardCpus CPUs that the thread gets if {@code cpus} are unavailable. If there are none, pass {@code cpus} again
     * @throws AffinityException as {@link Affinity#pin}. In this case the thread is not watched
     */
    public void pin(CpuList cpus, CpuList shardCpus) throws AffinityException {
        WatchedThread watched = forget(cpus, shardCpus);
        affinity.pin(cpus);
        add(watched);
    }

    /** Like {@link #pin}, but leaves out unavailable CPUs and notifies the listener. The thread gets these CPUs when they return. */
    public void pinAsFarAsPossible(CpuList cpus, CpuList shardCpus) {
        WatchedThread watched = forget(cpus, shardCpus);
        Optional<MaskChange> lacking = watched.place();
        add(watched);
        lacking.ifPresent(this::notifyListener);
    }

    private void add(WatchedThread watched) {
        synchronized (threads) {
            threads.add(watched);
            runIfNeeded();
        }
    }

    /** Ends the watch of the calling thread. Returns a new watch that has not begun. */
    private WatchedThread forget(CpuList cpus, CpuList shardCpus) {
        if (cpus.isEmpty() || shardCpus.isEmpty()) {
            throw new IllegalArgumentException("a thread cannot be pinned to no CPU at all");
        }
        Thread caller = Thread.currentThread();
        synchronized (threads) {
            threads.removeIf(thread -> thread.isThread(caller));
        }
        return new WatchedThread(new AffinityMasks(kernel), onlineCpus, caller, kernel.gettid(), cpus, shardCpus);
    }

    private static Optional<CpuList> online(Path file) {
        try {
            return Optional.of(CpuList.parse(Files.readString(file).strip()));
        } catch (IOException | IllegalArgumentException unreadable) {
            return Optional.empty();
        }
    }

    /** Checks every thread once, restores masks if possible, and notifies the listener of changes. */
    public void check() {
        List<MaskChange> changes = new ArrayList<>();
        try {
            synchronized (threads) {
                threads.removeIf(WatchedThread::isOver);
                threads.forEach(thread -> thread.check().ifPresent(changes::add));
            }
        } finally {
            changes.forEach(this::notifyListener); // the next check would not find them again
        }
    }

    private void runIfNeeded() {
        assert Thread.holdsLock(threads);
        if (running || periodNs == 0) {
            return;
        }
        Thread thread = affinity.unpinned(task -> new Thread(task, THREAD_NAME)).newThread(this::run);
        thread.setDaemon(true);
        thread.start();
        running = true;
    }

    private void run() {
        try {
            do {
                TimeUnit.NANOSECONDS.sleep(periodNs);
                checkOrLog();
            } while (!isOver());
        } catch (InterruptedException e) {
            LOGGER.log(System.Logger.Level.WARNING, "{0} was interrupted: masks are no longer watched", THREAD_NAME);
        }
    }

    /** Direct memory, for instance, may be used up for a while. The watch continues. */
    private void checkOrLog() {
        try {
            check();
        } catch (Throwable failed) {
            LOGGER.log(System.Logger.Level.ERROR, "a check of masks failed, and is repeated", failed);
        }
    }

    /** Returns true if no thread is watched. In this case the watching thread ends, and the next pin starts a new watching thread. */
    private boolean isOver() {
        synchronized (threads) {
            running = !threads.isEmpty();
            return !running;
        }
    }

    private void notifyListener(MaskChange change) {
        try {
            listener.accept(change);
        } catch (Throwable failed) { // the watching thread continues
            LOGGER.log(System.Logger.Level.ERROR, "the listener of a mask watch failed on: " + change.words(), failed);
        }
    }
}

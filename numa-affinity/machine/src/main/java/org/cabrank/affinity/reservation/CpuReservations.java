package org.cabrank.affinity.reservation;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.cabrank.affinity.CpuList;

/**
 * Reservations of this host's CPUs by services. Each CPU has a file. The process that has reserved the CPU holds a lock on the file, and
 * writes its id and name to the file. Two services that both ask for reservations never get the same CPU. Thread-safe.
 *
 * <pre>
 * /run/lock/cabrank/lock   held for a moment by any process that reads or changes reservations
 * /run/lock/cabrank/cpu0   locked by the process that its text names: "1234 cabrank serve echo"
 * /run/lock/cabrank/cpu1   not locked, so CPU 1 is free. The text has no meaning
 * </pre>
 *
 * <p>A reservation is for a hardware thread, not a core. Processes exclude each other only if they see the same directory. A container must
 * mount it. A service with a private /run or /tmp does not see it. Reservations in a process also exclude each other.
 */
public final class CpuReservations {
    private static final System.Logger LOGGER = System.getLogger(CpuReservations.class.getName());

    private static final Path RUN_LOCK = Path.of("/run/lock/cabrank");
    private static final String NAME_IN_TMP = "cabrank-lock";

    /** Maximum time to wait for the directory's lock. Other processes hold this lock only while they read some files. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    private static final long RETRY_MS = 5;

    /** Maximum number of attempts to lock a file. A missing file takes two attempts: one to create the file, one to lock it. */
    private static final int LOCK_ATTEMPTS_MAX = 10;

    /** Guards HELD, and keeps callers from opening locked files. The lock is static, because file locks belong to the process. */
    private static final Object IN_THIS_JVM = new Object();

    /** Files that this process has locked, by identity, because several paths may lead to one directory. */
    private static final Map<LockFile.Identity, Held> HELD = new HashMap<>();

    private final Path directory;

    private record Held(LockFile file, Holder holder, CpuReservation owner) {}

    private CpuReservations(Path directory) {
        this.directory = directory;
    }

    /**
     * The reservations in /run/lock/cabrank, which a reboot clears. If this directory is unavailable, uses a directory in {@code
     * java.io.tmpdir}, and logs a message. Services that use different directories do not see each other's reservations. A cleaner of old
     * files (systemd-tmpfiles(8)) may delete a lock file in the temporary directory. This ends the reservation.
     *
     * @throws CpuReservationException if neither directory can be used; the message gives both reasons
     */
    public static CpuReservations ofThisHost() throws CpuReservationException {
        return inOneOf(RUN_LOCK, Path.of(System.getProperty("java.io.tmpdir")).resolve(NAME_IN_TMP));
    }

    /** The reservations in this directory, which is created for all users if it is missing. Throws if the directory cannot be used. */
    public static CpuReservations in(Path directory) throws CpuReservationException {
        try {
            return new CpuReservations(LockDirectory.prepare(directory));
        } catch (IOException unusable) {
            throw new CpuReservationException("CPUs cannot be reserved in " + reason(unusable), unusable);
        }
    }

    static CpuReservations inOneOf(Path wanted, Path otherwise) throws CpuReservationException {
        try {
            return in(wanted);
        } catch (CpuReservationException unusable) {
            try {
                CpuReservations instead = in(otherwise);
                LOGGER.log(
                        System.Logger.Level.INFO,
                        "{0}; they are reserved in {1} instead, where whatever clears old files away ends a reservation:"
                                + " except the directory from it, or make the former one usable",
                        unusable.getMessage(),
                        instead.directory);
                return instead;
            } catch (CpuReservationException neither) {
                throw new CpuReservationException(unusable.getMessage() + "; " + neither.getMessage(), neither);
            }
        }
    }

    private static String reason(IOException failed) {
        return failed.getMessage() + " (" + failed.getClass().getSimpleName() + ")";
    }

    public Path directory() {
        return directory;
    }

    /**
     * Reserves all of these CPUs or none.
     *
     * @param name name of the holder for other processes, such as {@code cabrank serve echo}. Control characters are replaced
     * @throws CpuReservationException if some CPUs are taken, or the files cannot be used. If CPUs are taken, the message names their
     *     holders and the remedy
     */
    public CpuReservation reserve(CpuList cpus, String name) throws CpuReservationException {
        if (cpus.isEmpty()) {
            throw new IllegalArgumentException("there is no CPU to be reserved");
        }
        Holder holder = Holder.thisProcess(name);
        return exclusively("CPU " + cpus + " cannot be reserved", () -> {
            Map<LockFile.Identity, LockFile> locked = new LinkedHashMap<>();
            try {
                SortedMap<Integer, Holder> taken = lock(cpus, locked);
                if (!taken.isEmpty()) {
                    throw conflict(taken);
                }
                for (LockFile file : locked.values()) {
                    file.write(holder);
                }
            } catch (IOException | RuntimeException failed) {
                closeAll(List.copyOf(locked.values()));
                throw failed;
            }
            CpuReservation reservation = new CpuReservation(this, cpus);
            locked.forEach((identity, file) -> HELD.put(identity, new Held(file, holder, reservation)));
            return reservation;
        });
    }

    @FunctionalInterface
    private interface Locked<T> {
        T run() throws IOException;
    }

    /** Does {@code work} under the directory's lock. Without it, two processes could each take half of the CPUs, and both would fail. */
    private <T> T exclusively(String failure, Locked<T> work) throws CpuReservationException {
        synchronized (IN_THIS_JVM) {
            try {
                LockFile all = lockAll();
                try {
                    return work.run();
                } finally {
                    all.close();
                }
            } catch (CpuReservationException refused) {
                throw refused;
            } catch (IOException failed) {
                throw new CpuReservationException(failure + ": " + reason(failed), failed);
            }
        }
    }

    /** Locks as many CPUs as possible into {@code locked}. Returns the holders of the other CPUs. */
    private SortedMap<Integer, Holder> lock(CpuList cpus, Map<LockFile.Identity, LockFile> locked) throws IOException {
        SortedMap<Integer, Holder> taken = new TreeMap<>();
        for (int cpu : cpus.cpus().toArray()) {
            Holder holder = lock(file(cpu), locked);
            if (holder != null) {
                taken.put(cpu, holder);
            }
        }
        return taken;
    }

    /** Returns null if this process has now locked the file. Returns the holder if another process or reservation has the CPU. */
    private static Holder lock(Path path, Map<LockFile.Identity, LockFile> locked) throws IOException {
        for (int attempt = 0; attempt < LOCK_ATTEMPTS_MAX; attempt++) {
            Optional<LockFile.Identity> before = LockFile.identity(path);
            Held held = before.map(HELD::get).orElse(null);
            if (held != null) {
                return held.holder;
            }
            LockFile file = LockFile.open(path);
            try {
                if (!file.tryLock()) {
                    Holder holder = file.read();
                    file.close();
                    return holder;
                }
                // Tries again if the file was removed and created again after the first read of its identity.
                if (before.isPresent() && before.equals(LockFile.identity(path))) {
                    locked.put(before.get(), file);
                    return null;
                }
                file.close();
            } catch (IOException | RuntimeException failed) {
                file.close();
                throw failed;
            }
        }
        throw new FileSystemException(path.toString(), null, "somebody removes it again and again");
    }

    private static CpuReservationException conflict(SortedMap<Integer, Holder> taken) {
        Map<Holder, CpuList> byHolder = new LinkedHashMap<>();
        taken.forEach((cpu, holder) -> byHolder.merge(holder, CpuList.of(cpu), CpuList::union));
        String words = byHolder.entrySet().stream()
                .map(entry -> "CPU " + entry.getValue() + " is reserved by " + entry.getKey())
                .collect(Collectors.joining(", "));
        return new CpuReservationException(
                words + ": choose other CPUs, end the process that has them, or do without a reservation");
    }

    /** Returns the current holder of each reserved CPU in {@code among}. Throws if the files cannot be used. */
    public SortedMap<Integer, Holder> holders(CpuList among) throws CpuReservationException {
        return exclusively("who has which CPU cannot be read", () -> {
            CpuList known = among.filter(cpu -> Files.exists(file(cpu), LinkOption.NOFOLLOW_LINKS));
            Map<LockFile.Identity, LockFile> locked = new LinkedHashMap<>();
            try {
                return lock(known, locked);
            } finally {
                closeAll(List.copyOf(locked.values()));
            }
        });
    }

    private LockFile lockAll() throws IOException {
        Path path = directory.resolve("lock");
        LockFile all = LockFile.open(path);
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        try {
            while (!all.tryLock()) {
                if (System.nanoTime() - deadlineNs > 0) {
                    throw new CpuReservationException(
                            "somebody keeps " + path + " locked: see who with 'fuser " + path + "'");
                }
                Thread.sleep(RETRY_MS); // F_SETLKW would wait, but without a time limit (fcntl(2))
            }
            return all;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            all.close();
            throw new CpuReservationException("interrupted while waiting for " + path, e);
        } catch (IOException | RuntimeException failed) {
            all.close();
            throw failed;
        }
    }

    void giveBack(CpuReservation reservation) {
        synchronized (IN_THIS_JVM) {
            List<LockFile> files = new ArrayList<>();
            HELD.values().removeIf(held -> held.owner == reservation && files.add(held.file));
            closeAll(files);
        }
    }

    private static void closeAll(List<LockFile> files) {
        for (LockFile file : files) {
            try {
                file.close();
            } catch (IOException failed) {
                // The lock is released anyway, at the latest when the process ends.
                LOGGER.log(System.Logger.Level.WARNING, "a lock file was not closed in order", failed);
            }
        }
    }

    private Path file(int cpu) {
        return directory.resolve("cpu" + cpu);
    }
}

package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.cabrank.iouring.config.RingOptions;
import org.cabrank.iouring.ring.CompletionQueue;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.lf.fixture.Await;
import org.cabrank.stream.BackendUnavailableException;

/** Rings of the real kernel, for tests. */
public final class Rings {
    /** Named bound: how long a test waits for something that must come. */
    public static final long PATIENCE_NS = Await.PATIENCE_NS;

    public static final RingOptions SMALL =
            RingOptions.DEFAULT.withEntries(8, 32).withReceiveBuffers(8, 1 << 12);

    private Rings() {}

    /** Opens a ring that the calling thread may use; the test is skipped, with the reason, where io_uring is unavailable. */
    public static Ring open(Kernel kernel, RingOptions options) throws IOException {
        Ring ring = openDisabled(kernel, options);
        ring.enableHere();
        return ring;
    }

    /** As {@link #open}, but the ring has no owner yet. */
    public static Ring openDisabled(Kernel kernel, RingOptions options) {
        try {
            return Ring.open(kernel, options);
        } catch (BackendUnavailableException refused) {
            return abort(refused.getMessage());
        }
    }

    /** Queues a submission that does nothing and completes at once. */
    public static void addNop(Ring ring, long userData) {
        ring.submissions().append(IoUring.IORING_OP_NOP, 0, 0, 0, userData, 0);
    }

    /** Waits until something has completed, and takes it all. */
    public static List<Completion> awaitSome(Ring ring) {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        int available = 0;
        while (available == 0) {
            long leftNs = deadlineNs - System.nanoTime();
            assertTrue(leftNs > 0, "nothing completes");
            available = ring.await(1, 0, leftNs);
        }
        assertTrue(available > 0, "await: " + available);
        return takeAll(ring);
    }

    /** Waits for so many completions and takes them, and what came with them. */
    public static List<Completion> await(Ring ring, int count) {
        List<Completion> all = new ArrayList<>();
        while (all.size() < count) {
            all.addAll(awaitSome(ring));
        }
        return all;
    }

    /** Takes what there is to read. */
    public static List<Completion> takeAll(Ring ring) {
        List<Completion> taken = new ArrayList<>();
        CompletionQueue completions = ring.completions();
        int available = completions.available();
        for (int i = 0; i < available; i++) {
            taken.add(new Completion(completions.userData(i), completions.result(i), completions.flags(i)));
        }
        completions.advance(available);
        return taken;
    }

    /** A CPU that this process may use. */
    static int someCpu() throws IOException {
        String list = status(Path.of("/proc/self/status"), "Cpus_allowed_list");
        return Integer.parseInt(list.split("[,-]")[0]);
    }

    /** The list of CPUs that the kernel's thread of this ring may use. */
    static String allowedCpusOfTheSubmittingThread(Ring ring) throws IOException {
        return status(Path.of("/proc/self/task", submittingThread(ring), "status"), "Cpus_allowed_list");
    }

    /** The number of the kernel's thread of this ring. */
    static String submittingThread(Ring ring) throws IOException {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        // The kernel tells nothing, or -1, as long as somebody has the ring's lock: the thread itself, for instance.
        String thread = fdInfo(ring, "SqThread");
        while (thread.equals("-1")) {
            assertTrue(System.nanoTime() < deadlineNs, "the kernel does not tell the ring's thread");
            thread = fdInfo(ring, "SqThread");
        }
        return thread;
    }

    /** A field that the kernel reports for the descriptor of a ring. */
    public static String fdInfo(Ring ring, String name) throws IOException {
        Path described = Path.of("/proc/self/fdinfo/" + ring.fd());
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        Optional<String> value = field(described, name);
        while (value.isEmpty()) { // the kernel leaves it out while somebody has the ring's lock
            assertTrue(
                    System.nanoTime() < deadlineNs,
                    "the kernel does not report " + name + " of a ring: " + Files.readString(described));
            value = field(described, name);
        }
        return value.get();
    }

    /** Waits until the kernel has no thread of this name (of up to 15 bytes) any more, which is later than a join. */
    static void awaitEndOfThread(String name) throws IOException {
        long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (hasThread(name)) {
            assertTrue(System.nanoTime() < deadlineNs, name + " does not end");
            Thread.onSpinWait();
        }
    }

    private static boolean hasThread(String name) throws IOException {
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
            for (Path task : tasks) {
                if (name.equals(nameOf(task))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String nameOf(Path task) {
        try {
            return Files.readString(task.resolve("comm")).trim();
        } catch (IOException ended) { // there is no file any more, or ESRCH: it was there when its file was opened
            return "";
        }
    }

    private static String status(Path file, String name) throws IOException {
        return field(file, name).orElseThrow();
    }

    private static Optional<String> field(Path file, String name) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).trim())
                .findFirst();
    }

    public static List<Long> userData(List<Completion> completions) {
        return completions.stream().map(Completion::userData).toList();
    }
}

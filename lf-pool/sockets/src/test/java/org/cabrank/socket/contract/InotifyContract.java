package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Inotify;
import org.cabrank.kernel.KernelException;
import org.cabrank.kernel.layout.InotifyEvent;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.source.FileEvent;
import org.cabrank.socket.source.InotifyHandler;
import org.cabrank.socket.source.InotifySource;
import org.cabrank.socket.source.InotifyWatch;
import org.cabrank.socket.source.WatchHandler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes of files reach the handler of their watch in order; changes that cannot be reported are counted. */
public abstract class InotifyContract extends SourceContract {
    private static final int RENAMES = Inotify.IN_MOVED_FROM | Inotify.IN_MOVED_TO;

    @TempDir
    Path dir;

    private static final class Whole implements InotifyHandler {
        final AtomicInteger overflows = new AtomicInteger();
        final CompletableFuture<InotifySource> closed = new CompletableFuture<>();
        volatile Throwable cause;

        @Override
        public void handleOverflow(InotifySource source) {
            overflows.incrementAndGet();
        }

        @Override
        public void handleClosed(InotifySource source, Throwable why) {
            cause = why;
            closed.complete(source);
        }
    }

    private static class Collecting implements WatchHandler {
        final List<FileEvent> events = new CopyOnWriteArrayList<>();
        final CompletableFuture<InotifyWatch> removed = new CompletableFuture<>();
        final AtomicInteger removals = new AtomicInteger();

        @Override
        public void handleFileEvent(InotifyWatch watch, FileEvent event) throws Exception {
            events.add(event);
        }

        @Override
        public void handleRemoved(InotifyWatch watch) {
            removals.incrementAndGet();
            removed.complete(watch);
        }
    }

    private final Whole whole = new Whole();

    private Path directory(String name) throws IOException {
        return Files.createDirectory(dir.resolve(name));
    }

    @Test
    void changesOfFilesInADirectoryAreReported() throws Exception {
        Collecting collecting = new Collecting();
        InotifySource source = InotifySource.open(set, whole);
        InotifyWatch watch =
                source.watch(dir, Inotify.IN_CREATE | Inotify.IN_CLOSE_WRITE | Inotify.IN_DELETE, collecting);
        assertEquals(dir, watch.path());
        serve();
        Path file = Files.writeString(dir.resolve("a file"), "x");
        directory("sub");
        Files.delete(file);
        Await.until("all was told", () -> collecting.events.size() == 4);
        assertEquals(
                List.of(
                        new FileEvent(Inotify.IN_CREATE, 0, "a file"),
                        new FileEvent(Inotify.IN_CLOSE_WRITE, 0, "a file"),
                        new FileEvent(Inotify.IN_CREATE | Inotify.IN_ISDIR, 0, "sub"),
                        new FileEvent(Inotify.IN_DELETE, 0, "a file")),
                collecting.events);
        assertTrue(collecting.events.get(2).is(Inotify.IN_CREATE));
        assertFalse(collecting.events.get(2).is(RENAMES));
    }

    @Test
    void bothHalvesOfARenameHaveOneCookie() throws Exception {
        Path from = directory("from");
        Path to = directory("to");
        Collecting left = new Collecting();
        Collecting came = new Collecting();
        InotifySource source = InotifySource.open(set, whole);
        source.watch(from, RENAMES, left);
        source.watch(to, RENAMES, came);
        serve();
        Files.createFile(from.resolve("one"));
        Files.move(from.resolve("one"), to.resolve("other"));
        Await.until("both were told", () -> left.events.size() == 1 && came.events.size() == 1);
        int cookie = left.events.get(0).cookie();
        assertNotEquals(0, cookie);
        assertEquals(List.of(new FileEvent(Inotify.IN_MOVED_FROM, cookie, "one")), left.events);
        assertEquals(List.of(new FileEvent(Inotify.IN_MOVED_TO, cookie, "other")), came.events);
    }

    /** More than one read brings, with names of every length. */
    @Test
    void noEventIsLostOrTornHoweverManyThereAre() throws Exception {
        Collecting collecting = new Collecting();
        InotifySource source = InotifySource.open(set, whole);
        source.watch(dir, Inotify.IN_CREATE, collecting);
        for (int i = 0; i < 500; i++) {
            Files.createFile(dir.resolve(i + "n".repeat(i % 250)));
        }
        serve();
        Await.until("all was told", () -> collecting.events.size() == 500);
        for (int i = 0; i < 500; i++) {
            assertEquals(new FileEvent(Inotify.IN_CREATE, 0, i + "n".repeat(i % 250)), collecting.events.get(i));
        }
        assertEquals(0, source.staleEvents());
    }

    @Test
    void deletedFileEndsItsWatch() throws Exception {
        Path file = Files.createFile(dir.resolve("file"));
        Collecting collecting = new Collecting();
        InotifySource source = InotifySource.open(set, whole);
        InotifyWatch watch = source.watch(file, Inotify.IN_DELETE_SELF, collecting);
        serve();
        Files.delete(file);
        assertEquals(watch, collecting.removed.get());
        assertEquals(List.of(new FileEvent(Inotify.IN_DELETE_SELF, 0, null)), collecting.events);
        assertTrue(watch.isRemoved());
        watch.remove();
        assertFalse(source.isClosed());
    }

    @Test
    void watchForOneEventIsGoneAfterIt() throws Exception {
        Collecting collecting = new Collecting();
        InotifySource source = InotifySource.open(set, whole);
        source.watch(dir, Inotify.IN_CREATE | Inotify.IN_ONESHOT, collecting);
        serve();
        Files.createFile(dir.resolve("one"));
        collecting.removed.get();
        Files.createFile(dir.resolve("other"));
        Collecting again = new Collecting();
        source.watch(dir, Inotify.IN_CREATE, again);
        Files.createFile(dir.resolve("third"));
        Await.until("the second watch is told", () -> again.events.size() == 1);
        assertEquals(List.of(new FileEvent(Inotify.IN_CREATE, 0, "one")), collecting.events);
    }

    /** No thread reads before the watch is removed, so its event arrives after the removal. */
    @Test
    void eventOfARemovedWatchIsDroppedAndCounted() throws Exception {
        Collecting collecting = new Collecting();
        InotifySource source = InotifySource.open(set, whole);
        InotifyWatch watch = source.watch(dir, Inotify.IN_CREATE, collecting);
        Files.createFile(dir.resolve("file"));
        watch.remove();
        watch.remove();
        assertTrue(watch.isRemoved());
        serve();
        assertEquals(watch, collecting.removed.get());
        assertEquals(List.of(), collecting.events);
        assertEquals(1, source.staleEvents());
        assertEquals(1, collecting.removals.get());
    }

    /** The kernel has dropped the watch with its file, and the pool has not read that yet. */
    @Test
    void watchWhoseFileIsGoneCanBeRemoved() throws Exception {
        Path file = Files.createFile(dir.resolve("file"));
        Collecting collecting = new Collecting();
        InotifySource source = InotifySource.open(set, whole);
        InotifyWatch watch = source.watch(file, Inotify.IN_DELETE_SELF, collecting);
        Files.delete(file);
        watch.remove();
        serve();
        collecting.removed.get();
        assertEquals(1, collecting.removals.get());
    }

    @Test
    void watchCanBeRemovedByItsOwnHandler() throws Exception {
        Collecting collecting = new Collecting() {
            @Override
            public void handleFileEvent(InotifyWatch watch, FileEvent event) throws Exception {
                super.handleFileEvent(watch, event);
                watch.remove();
            }
        };
        InotifySource source = InotifySource.open(set, whole);
        source.watch(dir, Inotify.IN_CREATE, collecting);
        Files.createFile(dir.resolve("one"));
        Files.createFile(dir.resolve("other"));
        serve();
        collecting.removed.get();
        assertEquals(1, collecting.events.size());
        assertEquals(1, source.staleEvents());
    }

    @Test
    void fileIsNotWatchedTwice() throws Exception {
        InotifySource source = InotifySource.open(set, whole);
        Collecting first = new Collecting();
        source.watch(dir, Inotify.IN_CREATE, first);
        IllegalStateException refused = assertThrows(
                IllegalStateException.class, () -> source.watch(dir.resolve("."), Inotify.IN_DELETE, new Collecting()));
        assertTrue(refused.getMessage().contains(dir.toString()), refused::getMessage);
        serve();
        Files.createFile(dir.resolve("file"));
        Await.until("the first watch still stands", () -> first.events.size() == 1);
    }

    @Test
    void refusalsNameTheRemedy() throws Exception {
        kernel.answer("inotify_init1", -Errno.EMFILE);
        KernelException tooMany = assertThrows(KernelException.class, () -> InotifySource.open(set, whole));
        assertTrue(tooMany.getMessage().contains("fs.inotify.max_user_instances"), tooMany::getMessage);
        InotifySource source = InotifySource.open(set, whole);
        kernel.answer("inotify_add_watch", -Errno.ENOSPC);
        KernelException full =
                assertThrows(KernelException.class, () -> source.watch(dir, Inotify.IN_CREATE, new Collecting()));
        assertTrue(full.getMessage().contains("fs.inotify.max_user_watches"), full::getMessage);
        Path none = dir.resolve("none");
        KernelException absent =
                assertThrows(KernelException.class, () -> source.watch(none, Inotify.IN_CREATE, new Collecting()));
        assertEquals(Errno.ENOENT, absent.errno());
        assertTrue(absent.getMessage().contains(none.toString()), absent::getMessage);
        for (int wrong : new int[] {0, Inotify.IN_ONLYDIR, Inotify.IN_CREATE | Inotify.IN_MASK_ADD}) {
            assertThrows(IllegalArgumentException.class, () -> source.watch(dir, wrong, new Collecting()));
        }
        InotifyWatch watch = source.watch(dir, Inotify.IN_CREATE, new Collecting());
        kernel.answer("inotify_rm_watch", -Errno.EBADF);
        assertEquals(
                Errno.EBADF, assertThrows(KernelException.class, watch::remove).errno());
        assertFalse(watch.isRemoved());
    }

    @Test
    void closedSourceEndsAllItsWatches() throws Exception {
        Collecting one = new Collecting() {
            @Override
            public void handleRemoved(InotifyWatch watch) {
                super.handleRemoved(watch);
                throw new IllegalStateException("a mistake");
            }
        };
        Collecting other = new Collecting() {
            @Override
            public void handleRemoved(InotifyWatch watch) {
                super.handleRemoved(watch);
                throw new IllegalStateException("a mistake");
            }
        };
        InotifySource source = InotifySource.open(set, whole);
        source.watch(dir, Inotify.IN_CREATE, one);
        InotifyWatch watch = source.watch(directory("sub"), Inotify.IN_CREATE, other);
        serve();
        source.close();
        assertEquals(source, whole.closed.get());
        assertNull(whole.cause);
        assertEquals(1, one.removals.get());
        assertEquals(1, other.removals.get());
        assertEquals(2, set.failures().count());
        watch.remove();
        IOException refused =
                assertThrows(IOException.class, () -> source.watch(dir, Inotify.IN_CREATE, new Collecting()));
        assertTrue(refused.getMessage().contains("closed"), refused::getMessage);
    }

    @Test
    void handlerThatThrowsClosesTheSource() throws Exception {
        IOException mistake = new IOException("a mistake");
        Collecting failing = new Collecting() {
            @Override
            public void handleFileEvent(InotifyWatch watch, FileEvent event) throws IOException {
                throw mistake;
            }
        };
        InotifySource source = InotifySource.open(set, whole);
        source.watch(dir, Inotify.IN_CREATE, failing);
        serve();
        Files.createFile(dir.resolve("file"));
        whole.closed.get();
        assertEquals(mistake, whole.cause);
        assertEquals(1, failing.removals.get());
    }

    @Test
    void interruptedReadIsRepeatedAndABrokenOneCloses() throws Exception {
        Collecting collecting = new Collecting();
        InotifySource source = InotifySource.open(set, whole);
        source.watch(dir, Inotify.IN_CREATE, collecting);
        kernel.answer("read", -Errno.EINTR, -Errno.EINTR);
        serve();
        Files.createFile(dir.resolve("one"));
        Await.until("it was told", () -> collecting.events.size() == 1);
        kernel.answer("read", -Errno.EIO);
        Files.createFile(dir.resolve("other"));
        whole.closed.get();
        assertEquals(
                Errno.EIO, assertInstanceOf(KernelException.class, whole.cause).errno());
    }

    /** One read returns, by script, an overflow between two events, and an event of an unknown watch. */
    @Test
    void overflowIsReportedAndNoEventBesideItIsLost() throws Exception {
        Collecting collecting = new Collecting();
        InotifySource source = InotifySource.open(set, whole);
        source.watch(dir, Inotify.IN_CREATE, collecting);
        int descriptor = kernel.lastAnswer("inotify_add_watch");
        kernel.nextRead(kernel.lastAnswer("inotify_init1"), address -> {
            ByteBuffer into = kernel.viewOf(address, 1_024).order(ByteOrder.nativeOrder());
            event(into, descriptor, Inotify.IN_CREATE, "before");
            event(into, -1, Inotify.IN_Q_OVERFLOW, "");
            event(into, 4_242, Inotify.IN_CREATE, "nobody's");
            event(into, 4_242, Inotify.IN_IGNORED, "");
            event(into, descriptor, Inotify.IN_CREATE, "after");
            return into.position();
        });
        serve();
        Files.createFile(dir.resolve("file"));
        Await.until("all was told", () -> collecting.events.size() == 3);
        assertEquals(
                List.of("before", "after", "file"),
                collecting.events.stream().map(FileEvent::name).toList());
        assertEquals(1, whole.overflows.get());
        assertEquals(1, source.overflows());
        assertEquals(2, source.staleEvents());
    }

    private static void event(ByteBuffer into, int watch, int mask, String name) {
        int length = name.isEmpty() ? 0 : 16;
        int at = into.position();
        into.putInt(at + InotifyEvent.WD_OFFSET, watch).putInt(at + InotifyEvent.MASK_OFFSET, mask);
        into.putInt(at + InotifyEvent.COOKIE_OFFSET, 0).putInt(at + InotifyEvent.LEN_OFFSET, length);
        ByteBuffer padded = ByteBuffer.allocate(length).put(bytes(name)).clear();
        into.put(at + InotifyEvent.NAME_OFFSET, padded, 0, length);
        into.position(at + InotifyEvent.SIZE_BYTES + length);
    }

    @Test
    void sourceThatFindsNoMemoryIsClosed() {
        kernel.noMemoryAfter(0);
        assertThrows(OutOfMemoryError.class, () -> InotifySource.open(set, new Whole()));
        assertEquals(0, set.handleCount());
    }
}

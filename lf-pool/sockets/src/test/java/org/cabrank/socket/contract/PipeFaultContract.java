package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.KernelException;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.source.Pipe;
import org.cabrank.socket.source.PipeSink;
import org.cabrank.socket.source.PipeSource;
import org.junit.jupiter.api.Test;

/** Broken pipes, invalid descriptors and throwing handlers are refused or reported, with the reason. */
public abstract class PipeFaultContract extends PipeFixture {
    @Test
    void handlerThatReadsNothingLosesItsSource() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        Collecting idle = new Collecting() {
            @Override
            public void handleData(PipeSource source, ByteBuffer data) {}
        };
        PipeSource.of(set, pipe.readFd(), idle);
        PipeSink sink = PipeSink.of(set, pipe.writeFd(), 1 << 20, SILENT);
        serve();
        sink.write(bytes("x".repeat(PipeSource.UNREAD_MAX)));
        idle.closed.get();
        assertTrue(idle.cause.getMessage().contains("unread"), () -> "" + idle.cause);
    }

    @Test
    void writeWithoutAReaderFailsWithItsCause() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        Telling telling = new Telling();
        PipeSink sink = PipeSink.of(set, pipe.writeFd(), 1 << 20, telling);
        sink.write(bytes("x".repeat(200_000)));
        int queued = sink.queuedBytes();
        assertTrue(queued > 0);
        serve();
        kernel.close(pipe.readFd());
        assertEquals(queued, telling.closed.get());
        assertEquals(
                Errno.EPIPE,
                assertInstanceOf(KernelException.class, telling.cause).errno());
        IOException refused = assertThrows(IOException.class, () -> sink.write(bytes("x")));
        assertEquals(telling.cause, refused.getCause());
    }

    @Test
    void writeThatFindsNoReaderFailsAndClosesTheSink() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        Telling telling = new Telling();
        PipeSink sink = PipeSink.of(set, pipe.writeFd(), 1_000, telling);
        kernel.close(pipe.readFd());
        ByteBuffer record = bytes("x");
        IOException refused = assertThrows(IOException.class, () -> sink.write(record));
        assertTrue(refused.getMessage().contains("EPIPE"), refused::getMessage);
        assertEquals(1, record.remaining());
        serve();
        telling.closed.get();
        assertEquals(
                Errno.EPIPE,
                assertInstanceOf(KernelException.class, telling.cause).errno());
    }

    @Test
    void namedPipeThatNobodyReadsIsRefused() throws Exception {
        Path path = dir.resolve("fifo");
        Pipe.makeFifo(kernel, path, 0_600);
        KernelException refused =
                assertThrows(KernelException.class, () -> PipeSink.openFifo(set, path, 1_000, SILENT));
        assertEquals(Errno.ENXIO, refused.errno());
        assertTrue(refused.getMessage().contains("nobody has it open to read"), refused::getMessage);
    }

    @Test
    void descriptorThatIsNoPipeIsRefused() throws Exception {
        Path file = Files.writeString(dir.resolve("file"), "x");
        KernelException refused =
                assertThrows(KernelException.class, () -> PipeSource.openFifo(set, file, new Collecting()));
        assertEquals(Errno.EPERM, refused.errno());
        assertEquals(
                Errno.ENOENT,
                assertThrows(
                                KernelException.class,
                                () -> PipeSource.openFifo(set, dir.resolve("none"), new Collecting()))
                        .errno());
        assertEquals(0, set.handleCount());
    }

    @Test
    void descriptorThatWouldBlockIsRefused() throws Exception {
        ByteBuffer ends = direct(2 * Integer.BYTES);
        Errno.check("pipe2", kernel.pipe2(kernel.addressOf(ends), FileFlags.O_CLOEXEC));
        int readFd = ends.getInt(0);
        int writeFd = ends.getInt(Integer.BYTES);
        IllegalArgumentException refused =
                assertThrows(IllegalArgumentException.class, () -> PipeSource.of(set, readFd, new Collecting()));
        assertTrue(refused.getMessage().contains("fd " + readFd + " blocks"), refused::getMessage);
        assertThrows(IllegalArgumentException.class, () -> PipeSink.of(set, writeFd, 1_000, SILENT));
        kernel.close(readFd);
        kernel.close(writeFd);
    }

    @Test
    void descriptorThatIsNotOpenIsRefused() throws Exception {
        int fd = closedDescriptor();
        KernelException refused = assertThrows(KernelException.class, () -> PipeSource.of(set, fd, new Collecting()));
        assertTrue(refused.getMessage().contains("it is not open"), refused::getMessage);
    }

    @Test
    void descriptorThatHasASourceIsRefusedAndStaysItsOwn() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        Collecting collecting = new Collecting();
        PipeSource.of(set, pipe.readFd(), collecting);
        KernelException refused =
                assertThrows(KernelException.class, () -> PipeSource.of(set, pipe.readFd(), new Collecting()));
        assertTrue(refused.getMessage().contains("registered in this set already"), refused::getMessage);
        serve();
        PipeSink.of(set, pipe.writeFd(), 1_000, SILENT).write(bytes("x"));
        Await.until("the first still stands", () -> collecting.text.toString().equals("x"));
    }

    @Test
    void queueAndRecordsHaveLimits() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        assertThrows(IllegalArgumentException.class, () -> PipeSink.of(set, pipe.writeFd(), 7, SILENT));
        PipeSink sink = PipeSink.of(set, pipe.writeFd(), 8, SILENT);
        assertThrows(IllegalArgumentException.class, () -> sink.write(bytes("12345")));
        assertTrue(sink.write(bytes("1234")));
        assertTrue(sink.write(bytes("")));
        kernel.close(pipe.readFd());
    }

    @Test
    void interruptedCallsAreRepeatedAndOthersClose() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        // In the handler, or it would be open which read meets the error: the last of "hello" or one for more.
        Collecting collecting = new Collecting() {
            @Override
            public void handleData(PipeSource source, ByteBuffer data) throws Exception {
                super.handleData(source, data);
                if (text.toString().equals("hello")) {
                    kernel.answer("read", -Errno.EIO);
                }
            }
        };
        kernel.answer("read", -Errno.EINTR, -Errno.EINTR);
        kernel.answer("write to fd " + pipe.writeFd(), -Errno.EINTR, -Errno.EAGAIN, -Errno.EINTR);
        PipeSource.of(set, pipe.readFd(), collecting);
        Telling telling = new Telling();
        PipeSink sink = PipeSink.of(set, pipe.writeFd(), 1_000, telling);
        serve();
        sink.write(bytes("hello"));
        collecting.closed.get();
        assertEquals(
                Errno.EIO,
                assertInstanceOf(KernelException.class, collecting.cause).errno());
        telling.closed.get();
    }

    @Test
    void handlerThatThrowsLosesItsSourceAndThePoolGoesOn() throws Exception {
        Pipe bad = Pipe.open(kernel);
        Pipe good = Pipe.open(kernel);
        IOException mistake = new IOException("a mistake");
        Collecting failing = new Collecting() {
            @Override
            public void handleData(PipeSource source, ByteBuffer data) throws IOException {
                throw mistake;
            }
        };
        Collecting collecting = new Collecting();
        PipeSource.of(set, bad.readFd(), failing);
        PipeSource.of(set, good.readFd(), collecting);
        PipeSink toBad = PipeSink.of(set, bad.writeFd(), 1_000, SILENT);
        PipeSink toGood = PipeSink.of(set, good.writeFd(), 1_000, SILENT);
        serve();
        toBad.write(bytes("x"));
        failing.closed.get();
        assertEquals(mistake, failing.cause);
        toGood.write(bytes("y"));
        Await.until("the other is served", () -> collecting.text.toString().equals("y"));
    }

    /** The number that the kernel gives out again belongs to somebody else: no write of the old sink may reach it. */
    @Test
    void writesThatRaceWithCloseReachNobodyElse() throws Exception {
        serve();
        for (int i = 0; i < 50; i++) {
            Pipe pipe = Pipe.open(kernel);
            Collecting collecting = new Collecting();
            PipeSource.of(set, pipe.readFd(), collecting);
            Telling telling = new Telling();
            PipeSink sink = PipeSink.of(set, pipe.writeFd(), 1 << 16, telling);
            CountDownLatch writing = new CountDownLatch(1);
            CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
                try {
                    while (sink.write(bytes("old ")) || !sink.isClosed()) {
                        writing.countDown();
                    }
                } catch (IOException closed) {
                    assertTrue(closed.getMessage().contains("closed"), closed::getMessage);
                }
            });
            writing.await();
            sink.close();
            telling.closed.get();
            Pipe reused = Pipe.open(kernel);
            Collecting other = new Collecting();
            PipeSource.of(set, reused.readFd(), other);
            PipeSink.of(set, reused.writeFd(), 1_000, SILENT).write(bytes("new"));
            Await.until("the new one has come", () -> other.text.length() >= 3);
            writer.get();
            assertEquals("new", other.text.toString());
        }
    }

    @Test
    void endThatFindsNoMemoryIsClosed() throws Exception {
        Path path = dir.resolve("fifo");
        Pipe.makeFifo(kernel, path, 0_600);
        Set<Integer> before = Set.copyOf(kernel.open());
        kernel.noMemoryAfter(1); // the path has its address, the buffer gets none
        assertThrows(OutOfMemoryError.class, () -> PipeSource.openFifo(set, path, new Collecting()));
        assertEquals(before, kernel.open());
        PipeSource reader = PipeSource.openFifo(set, path, new Collecting());
        kernel.noMemoryAfter(1);
        assertThrows(OutOfMemoryError.class, () -> PipeSink.openFifo(set, path, 1_000, SILENT));
        assertEquals(1, set.handleCount());
        reader.close();
    }
}

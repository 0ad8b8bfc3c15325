package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.KernelException;
import org.cabrank.lf.fixture.Await;
import org.cabrank.socket.source.Pipe;
import org.cabrank.socket.source.PipeSink;
import org.cabrank.socket.source.PipeSource;
import org.junit.jupiter.api.Test;

/** Pipes, with a name and without: what goes in comes out, all of it and in order. */
public abstract class PipeContract extends PipeFixture {
    @Test
    void bytesArriveInOrder() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        Collecting collecting = new Collecting();
        PipeSource.of(set, pipe.readFd(), collecting);
        PipeSink sink = PipeSink.of(set, pipe.writeFd(), 1 << 20, SILENT);
        serve();
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            expected.append(i).append(' ');
            assertTrue(sink.write(bytes(i + " ")));
        }
        Await.until("all has arrived", () -> collecting.text.length() == expected.length());
        assertEquals(expected.toString(), collecting.text.toString());
        assertEquals(0, sink.queuedBytes());
    }

    @Test
    void everyCallFindsItsBufferInNetworkByteOrder() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        PipeSink sink = PipeSink.of(set, pipe.writeFd(), 1 << 20, SILENT);
        StringBuffer orders = new StringBuffer();
        PipeSource.of(set, pipe.readFd(), (source, data) -> {
            orders.append(data.order()).append(' ');
            data.order(ByteOrder.LITTLE_ENDIAN).get();
        });
        serve();
        sink.write(bytes("ab"));
        Await.until("the first call came", () -> orders.length() > 0);
        sink.write(bytes("c"));
        Await.until("the second call came", () -> orders.toString().equals("BIG_ENDIAN BIG_ENDIAN "));
    }

    /**
     * No thread reads yet, so the pipe and then the queue fill up. Records that were accepted arrive; records that were
     * refused do not.
     */
    @Test
    void fullQueueOfASinkRefusesBytesAndNotifiesOfRoom() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        Telling telling = new Telling();
        PipeSink sink = PipeSink.of(set, pipe.writeFd(), 4_096, telling);
        serve();
        StringBuilder taken = new StringBuilder();
        String record = "x".repeat(999) + "\n";
        for (ByteBuffer next = bytes(record); sink.write(next); next = bytes(record)) {
            assertFalse(next.hasRemaining());
            taken.append(record);
        }
        assertEquals(4 * (1_000 + 4), sink.queuedBytes());
        assertEquals(1, sink.refused());
        ByteBuffer refused = bytes(record);
        assertFalse(sink.write(refused));
        assertEquals(1_000, refused.remaining());
        assertEquals(2, sink.refused());
        assertEquals(0, telling.rooms.get());

        Collecting collecting = new Collecting();
        PipeSource.of(set, pipe.readFd(), collecting);

        Await.until("there is room again", () -> telling.rooms.get() == 1);
        assertTrue(sink.write(bytes("end")));
        taken.append("end");
        Await.until("all has arrived", () -> collecting.text.length() == taken.length());
        assertEquals(taken.toString(), collecting.text.toString());
        assertEquals(1, telling.rooms.get(), "it is told once");
    }

    /** Two sinks of one process stand for two processes: each record is small enough for one atomic write. */
    @Test
    void recordsOfTwoSinksAreNotTorn() throws Exception {
        Path path = dir.resolve("fifo");
        Pipe.makeFifo(kernel, path, 0_600);
        AtomicInteger[] whole = {new AtomicInteger(), new AtomicInteger()};
        AtomicBoolean torn = new AtomicBoolean();
        int length = 1_500;
        PipeSource.openFifo(set, path, (source, data) -> {
            while (data.remaining() >= length) {
                byte first = data.get(data.position());
                for (int i = 0; i < length; i++) {
                    torn.compareAndSet(false, data.get() != first);
                }
                whole[first - 'a'].incrementAndGet();
            }
        });
        PipeSink one = PipeSink.openFifo(set, path, 1 << 20, SILENT);
        PipeSink other = PipeSink.openFifo(set, path, 1 << 20, SILENT);
        for (int i = 0; i < 200; i++) { // far more than the pipe holds, so that both queues are written from
            assertTrue(one.write(bytes("a".repeat(length))));
            assertTrue(other.write(bytes("b".repeat(length))));
        }
        assertTrue(one.queuedBytes() > 0 && other.queuedBytes() > 0);
        serve();
        Await.until("all have arrived", () -> whole[0].get() == 200 && whole[1].get() == 200);
        assertFalse(torn.get());
    }

    @Test
    void longRecordArrivesPieceByPiece() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        Collecting collecting = new Collecting();
        PipeSink sink = PipeSink.of(set, pipe.writeFd(), 1 << 20, SILENT);
        String text = "0123456789".repeat(50_000);
        assertTrue(sink.write(bytes(text)));
        PipeSource.of(set, pipe.readFd(), collecting);
        serve();
        Await.until("all has arrived", () -> collecting.text.length() == text.length());
        assertEquals(text, collecting.text.toString());
    }

    @Test
    void unreadBytesComeAgainBeforeTheNextOnes() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        StringBuffer lines = new StringBuffer();
        Collecting byLine = new Collecting() {
            @Override
            public void handleData(PipeSource source, ByteBuffer data) {
                for (int i = data.position(); i < data.limit(); i++) {
                    if (data.get(i) == '\n') {
                        int end = data.limit();
                        lines.append('[').append(text(data.limit(i))).append(']');
                        data.limit(end).position(i + 1);
                    }
                }
                data.limit(data.position()); // a handler may leave the limit where it likes
            }
        };
        PipeSource.of(set, pipe.readFd(), byLine);
        PipeSink sink = PipeSink.of(set, pipe.writeFd(), 1_000, SILENT);
        serve();
        sink.write(bytes("one\ntwo\nth"));
        Await.until("two lines have come", () -> lines.toString().equals("[one][two]"));
        sink.write(bytes("ree"));
        sink.write(bytes("\nrest"));
        Await.until("the third has come", () -> lines.toString().equals("[one][two][three]"));
        sink.finish();
        assertEquals("rest", byLine.unreadAtEnd.get());
        byLine.closed.get();
        assertNull(byLine.cause);
    }

    @Test
    void finishedSinkWritesWhatItHasAndClosesThen() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        Telling telling = new Telling();
        PipeSink sink = PipeSink.of(set, pipe.writeFd(), 1 << 20, telling);
        String text = "x".repeat(500_000);
        sink.write(bytes(text));
        sink.finish();
        assertThrows(IOException.class, () -> sink.write(bytes("more")));
        Collecting collecting = new Collecting();
        PipeSource.of(set, pipe.readFd(), collecting);
        serve();
        assertEquals(0, telling.closed.get());
        assertNull(telling.cause);
        assertEquals("", collecting.unreadAtEnd.get());
        assertEquals(text, collecting.text.toString());
        assertTrue(sink.isClosed());
    }

    @Test
    void closedSinkReportsTheBytesThatItDidNotWrite() throws Exception {
        Pipe pipe = Pipe.open(kernel);
        Telling telling = new Telling();
        PipeSink sink = PipeSink.of(set, pipe.writeFd(), 1 << 20, telling);
        serve();
        sink.write(bytes("x".repeat(200_000)));
        int queued = sink.queuedBytes();
        sink.close();
        sink.close();
        assertEquals(queued, telling.closed.get());
        assertNull(telling.cause);
        assertTrue(assertThrows(IOException.class, () -> sink.write(bytes("x")))
                .getMessage()
                .contains("closed"));
        kernel.close(pipe.readFd());
    }

    @Test
    void writersOfANamedPipeComeAndGo() throws Exception {
        Path path = dir.resolve("fifo");
        Pipe.makeFifo(kernel, path, 0_600);
        assertEquals(
                Errno.EEXIST,
                assertThrows(KernelException.class, () -> Pipe.makeFifo(kernel, path, 0_600))
                        .errno());
        Collecting collecting = new Collecting();
        PipeSource source = PipeSource.openFifo(set, path, collecting);
        serve();
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            Files.writeString(path, "hello " + i + "\n");
            expected.append("hello ").append(i).append('\n');
            Await.until("it has come", () -> collecting.text.toString().equals(expected.toString()));
        }
        assertFalse(source.isClosed());
        assertFalse(collecting.unreadAtEnd.isDone());
        source.close();
        collecting.closed.get();
        assertNull(collecting.cause);
    }
}

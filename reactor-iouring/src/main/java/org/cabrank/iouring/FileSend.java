package org.cabrank.iouring;

import java.io.IOException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.Epoll;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.layout.IoUring;
import org.cabrank.socket.transport.OpenFile;
import org.cabrank.stream.transport.Chunk;
import org.cabrank.stream.transport.FileRange;
import org.cabrank.stream.transport.OutboundQueue;

/**
 * Sends file ranges of one connection. While a request of this object is under way, the connection has no send under way.
 *
 * <p>Bytes in the kernel's cache ({@link CacheProbe}) are sent without a copy. The thread that processes the connection sends them by
 * sendfile(2). If the socket is full, a poll request reports when it has room again.
 *
 * <p>Bytes outside the cache are read by the ring in pieces, so that no thread waits for a disk. The ring then sends the pieces from
 * memory. The ring also reads all files that sendfile(2) cannot send, and all files of a file system that does not report cached bytes.
 *
 * <p><b>Measured</b> in C on two shared virtual CPUs (Linux 6.18, ext4, loopback): CPU time of the process, with its io-wq threads, to send
 * 1 GiB in ranges of the given size. The numbers are relative to READ and SEND in pieces of 128 KiB (medians of 7 pairs).
 *
 * <pre>
 *  range               16 KiB   128 KiB   1 MiB   16 MiB
 *  1 connection
 *    sendfile, probed    0.78      0.56    0.59     0.69
 *    SPLICE, linked      1.48      1.04    0.49     0.54
 *  16 connections
 *    sendfile, probed    0.61      0.27    0.23     0.30
 *    SPLICE, linked      0.98      0.40    0.31     0.35
 * </pre>
 *
 * <p>IORING_OP_SPLICE is not used. An io-wq thread runs each splice, which costs more than the copy of a small range. In addition, each
 * range under way needs a pipe of 1 MiB.
 */
final class FileSend {
    /** Result of {@link #sendCached} if nothing can be sent from the cache. */
    private static final int NOT_CACHED = -1;

    /** Result of {@link #next} if the head of the queue is in memory now. */
    static final int LOADED = -1;

    /** Smallest range sent from the cache. At 4 KiB, sendfile(2) and the ring cost the same. Below 4 KiB, the ring is cheaper. */
    static final int SEND_MIN = 8 << 10;

    private static final int SEND_MAX = 1 << 20;

    /** After this number of polls in vain, the ring sends from memory. Its send waits while socket memory (tcp_mem) is short. */
    private static final int POLLS_IN_VAIN_MAX = 4;

    /** Memory of reads that were under way when their ring failed. It is never freed, because the kernel may still write to it. */
    private static final Queue<Chunk> KEPT = new ConcurrentLinkedQueue<>();

    private final StreamRequests requests;
    private final RingIo io;

    /** Memory for a piece that is being read, or that was read but not taken. Null if there is no such piece. */
    private Chunk piece;

    /** True if a poll for room is under way, or if its result was not taken yet. */
    private boolean polling;

    /** True if the socket has taken fewer bytes than were cached, so it is probably full. */
    private boolean full;

    /** Number of consecutive polls that reported room although sendfile(2) then found none. */
    private int pollsInVain;

    FileSend(StreamRequests requests, RingIo io) {
        this.requests = requests;
        this.io = io;
    }

    boolean hasPlace() {
        return piece != null || polling;
    }

    boolean isReading() {
        return piece != null;
    }

    static int keptCount() {
        return KEPT.size();
    }

    int operation() {
        return polling ? HandleRequests.ROOM : HandleRequests.FILE;
    }

    /** Sends or loads bytes of the queue's head. Returns the number of sent bytes, {@link #LOADED}, or 0 if a request is under way. */
    int next(OutboundQueue queue) throws IOException {
        FileRange range = queue.headFile();
        if (!(range.file() instanceof OpenFile.Holder holder)) {
            queue.load();
            return LOADED;
        }
        if (full) {
            full = false;
            poll();
            return 0;
        }
        int sent = sendCached(range, holder.openFile());
        if (sent == 0 && ++pollsInVain <= POLLS_IN_VAIN_MAX) {
            poll();
            return 0;
        }
        pollsInVain = 0;
        if (sent > 0) {
            return sent;
        }
        read(queue, range, holder.openFile());
        return 0;
    }

    private int sendCached(FileRange range, OpenFile file) throws IOException {
        int wanted = (int) Math.min(range.left(), SEND_MAX);
        if (wanted < SEND_MIN || !file.isSendable()) {
            return NOT_CACHED;
        }
        int cached = CacheProbe.cachedBytes(requests.set().kernel(), file.fd(), range.position(), wanted);
        if (cached == 0) {
            return NOT_CACHED;
        }
        int sent = io.sendFromCache(range, file, cached);
        full = sent > 0 && sent < cached;
        return sent;
    }

    private void poll() {
        polling = true;
        requests.beginInPlaceOfSend();
        SubmissionWriter submissions = requests.set().submissions();
        submissions.poll(io.descriptor(), Epoll.EPOLLOUT, requests.userData(HandleRequests.ROOM));
    }

    private void read(OutboundQueue queue, FileRange range, OpenFile file) throws IOException {
        piece = queue.takeForFile();
        requests.beginInPlaceOfSend();
        requests.set()
                .submissions()
                .transfer(
                        IoUring.IORING_OP_READ,
                        file.fd(),
                        piece.address,
                        piece.bytes.remaining(),
                        range.position(),
                        requests.userData(HandleRequests.FILE));
    }

    void take(OutboundQueue queue, int result) throws IOException {
        if (polling) {
            polling = false;
            if (result < 0 && !HandleRequests.isToBeAskedAgain(result)) {
                throw io.sendFailed(result);
            }
        } else {
            takePiece(queue, result);
        }
    }

    private void takePiece(OutboundQueue queue, int result) throws IOException {
        Chunk read = piece;
        piece = null;
        if (result > 0) {
            queue.loaded(read, result);
            return;
        }
        queue.giveBack(read);
        if (result == 0) {
            throw queue.headFile().truncated();
        }
        if (!HandleRequests.isToBeAskedAgain(result)) {
            throw Errno.exception(
                    requests.handle().handler() + ": reading "
                            + queue.headFile().file().path(),
                    result);
        }
    }

    /** Called when the connection is closed and the request for output has ended. */
    void giveBack(OutboundQueue queue) {
        polling = false;
        if (piece != null) {
            queue.giveBack(piece);
            piece = null;
        }
    }

    void abandoned() {
        if (piece != null) {
            KEPT.add(piece);
            piece = null;
        }
    }
}

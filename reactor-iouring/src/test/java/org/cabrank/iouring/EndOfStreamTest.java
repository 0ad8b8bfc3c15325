package org.cabrank.iouring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.iouring.ring.Ring;
import org.cabrank.iouring.ring.SubmissionWriter;
import org.cabrank.kernel.Errno;
import org.cabrank.socket.contract.TestKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ends behind the last bytes: an armed multishot receive gets both wake-ups before it runs. */
class EndOfStreamTest {
    private static BufferedSet receiving(int fd) throws IOException {
        BufferedSet buffered = BufferedSet.open(TestKernel.any());
        Ring ring = buffered.set().ring();
        buffered.set().beginWatching();
        assumeFalse(buffered.buffers().areEndsLost(), "this kernel loses ends");
        int flags = buffered.buffers().receiveFlags();
        ring.submissions().receiveMultishot(SubmissionWriter.descriptor(fd), flags, 0, ReceiveBuffers.GROUP, 1);
        ring.submit();
        return buffered;
    }

    private static List<Integer> results(BufferedSet buffered) {
        List<Integer> results = new ArrayList<>();
        boolean more = true;
        while (more) {
            for (Completion completion : Rings.awaitSome(buffered.set().ring())) {
                results.add(completion.result());
                more = completion.more();
            }
        }
        return results;
    }

    @Test
    void resetBehindBytes() throws IOException {
        try (TcpPair pair = new TcpPair(TestKernel.any());
                BufferedSet buffered = receiving(pair.fd())) {
            pair.send("last");
            pair.reset();
            assertEquals(List.of(4, -Errno.ECONNRESET), results(buffered));
        }
    }

    @Test
    void endBehindBytes() throws IOException {
        try (TcpPair pair = new TcpPair(TestKernel.any());
                BufferedSet buffered = receiving(pair.fd())) {
            pair.send("last");
            pair.end();
            assertEquals(List.of(4, 0), results(buffered));
        }
    }

    @Test
    void endBehindBytesOfAUnixSocket(@TempDir Path directory) throws IOException {
        try (UnixPair pair = new UnixPair(TestKernel.any(), directory);
                BufferedSet buffered = receiving(pair.fd())) {
            pair.send("last");
            pair.end();
            assertEquals(List.of(4, 0), results(buffered));
        }
    }
}

package org.cabrank.bench.serve;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernels;
import org.junit.jupiter.api.Test;

final class EndSignalsTest {

    /** A server whose log nobody reads any more has to answer its clients all the same. */
    @Test
    void endBeginsThoughStandardErrorIsAFullPipe() throws Exception {
        CountDownLatch read = new CountDownLatch(1);
        CountDownLatch ending = new CountDownLatch(1);
        PrintStream before = System.err;
        // Closing these restores the actions of this JVM.
        EndSignals.Watch term = EndSignals.watch("TERM", () -> {});
        EndSignals.Watch interrupt = EndSignals.watch("INT", () -> {});
        try {
            EndSignals.onEnd(ending::countDown);
            System.setErr(new PrintStream(new FullPipe(read), true));
            Errno.check(
                    "kill", Kernels.system().kill((int) ProcessHandle.current().pid(), Events.SIGTERM));
            ending.await();
        } finally {
            System.setErr(before);
            read.countDown();
            term.close();
            interrupt.close();
        }
    }

    private static final class FullPipe extends OutputStream {
        private final CountDownLatch read;

        FullPipe(CountDownLatch read) {
            this.read = read;
        }

        @Override
        public void write(int value) {
            try {
                read.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
        }
    }
}

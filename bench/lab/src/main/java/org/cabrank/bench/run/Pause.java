package org.cabrank.bench.run;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;

/** Stops servers while they are not measured, so that they use no CPU time. */
record Pause(Kernel kernel) {

    private static final long BRIEF_NS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Stops every thread of the process within a short time. Has no effect if the process has ended. */
    void stop(long pid) throws IOException {
        send(Events.SIGSTOP, pid);
    }

    void goOn(long pid) throws IOException {
        send(Events.SIGCONT, pid);
    }

    void briefly(long pid) throws IOException, InterruptedException {
        stop(pid);
        TimeUnit.NANOSECONDS.sleep(BRIEF_NS);
        goOn(pid);
    }

    private void send(int signal, long pid) throws IOException {
        int result = kernel.kill(Math.toIntExact(pid), signal);
        // ESRCH: the process has ended. The next exchange with the process reports this.
        if (result != -Errno.ESRCH) {
            Errno.check("kill", result);
        }
    }
}

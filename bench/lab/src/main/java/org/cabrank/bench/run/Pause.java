package org.cabrank.bench.run;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Events;
import org.cabrank.kernel.Kernel;

/** Stops the servers that are not measured, so that they use no CPU time. Any thread. */
record Pause(Kernel kernel) {

    private static final long BRIEF_NS = TimeUnit.MILLISECONDS.toNanos(5);

    /** Stops every thread of the process after a short delay at most. Has no effect on a process that has ended. */
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
        // ESRCH: the process has ended. The next exchange with it reports this, with its log.
        if (result != -Errno.ESRCH) {
            Errno.check("kill", result);
        }
    }
}

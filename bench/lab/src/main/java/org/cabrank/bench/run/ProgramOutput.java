package org.cabrank.bench.run;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Output of a program that ends soon.
 *
 * @param text standard output and standard error, as they were written
 * @param status exit status
 */
record ProgramOutput(String text, int status) {

    /**
     * Runs {@code command} without input. Ends it if it takes longer than {@code limit}.
     *
     * @throws IOException if the program cannot be started, or is still running or writing after {@code limit}
     */
    static ProgramOutput of(List<String> command, Duration limit) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        long endNs = System.nanoTime() + limit.toNanos();
        try {
            process.getOutputStream().close();
            String text = CompletableFuture.supplyAsync(() -> text(process)).get(limit.toNanos(), TimeUnit.NANOSECONDS);
            if (process.waitFor(endNs - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                return new ProgramOutput(text, process.exitValue());
            }
            throw late(command, limit, null);
        } catch (TimeoutException late) {
            throw late(command, limit, late);
        } catch (ExecutionException broken) {
            throw new IOException("the output of '" + String.join(" ", command) + "' cannot be read", broken);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw (IOException)
                    new InterruptedIOException("interrupted while '" + String.join(" ", command) + "' was running")
                            .initCause(stop);
        } finally {
            // Children hold the other end of the output: without them the reader ends as well.
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static IOException late(List<String> command, Duration limit, TimeoutException cause) {
        return new IOException(
                "'" + String.join(" ", command) + "' did not end within " + limit.toMillis() + " ms", cause);
    }

    private static String text(Process process) {
        try {
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}

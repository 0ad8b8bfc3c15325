package org.cabrank.socket.source;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.socket.calls.Paths;

/** Descriptors of a non-blocking, close-on-exec pipe (pipe(7)), for {@link PipeSource} and {@link PipeSink}. Their owner closes them. */
public record Pipe(int readFd, int writeFd) {

    /** @throws IOException if the process has reached its limit of descriptors */
    public static Pipe open(Kernel kernel) throws IOException {
        ByteBuffer ends = Endpoint.direct(2 * Integer.BYTES);
        Errno.check(
                "pipe2",
                NativeArgument.pass(
                        kernel, ends, address -> kernel.pipe2(address, FileFlags.O_NONBLOCK | FileFlags.O_CLOEXEC)));
        return new Pipe(ends.getInt(0), ends.getInt(Integer.BYTES));
    }

    /** Makes a named pipe (fifo(7)). The umask applies to {@code permissions}, for example {@code 0600}. Fails if the path exists. */
    public static void makeFifo(Kernel kernel, Path path, int permissions) throws IOException {
        Errno.check(
                "mkfifo of " + path,
                NativeArgument.pass(
                        kernel, Paths.zeroTerminated(path), address -> kernel.mkfifo(address, permissions)));
    }

    static int openEnd(Kernel kernel, Path path, int access) throws IOException {
        int fd = NativeArgument.pass(
                kernel,
                Paths.zeroTerminated(path),
                address -> kernel.open(address, access | FileFlags.O_NONBLOCK | FileFlags.O_CLOEXEC, 0));
        return Errno.check(
                fd == -Errno.ENXIO ? "open of " + path + " (nobody has it open to read)" : "open of " + path, fd);
    }

    static void requireNonBlocking(int fd) throws IOException {
        Path info = Path.of("/proc/self/fdinfo/" + fd);
        if (!Files.exists(info)) {
            return; // the descriptor is not open; its registration gives a better message
        }
        List<String> lines = Files.readAllLines(info, StandardCharsets.ISO_8859_1);
        for (String line : lines) {
            if (line.startsWith("flags:")) {
                // proc_pid_fdinfo(5): octal
                int flags = Integer.parseInt(line.substring("flags:".length()).strip(), 8);
                if ((flags & FileFlags.O_NONBLOCK) == 0) {
                    throw new IllegalArgumentException("fd " + fd + " blocks: open it with O_NONBLOCK");
                }
            }
        }
    }
}

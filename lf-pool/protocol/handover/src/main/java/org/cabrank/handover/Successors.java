package org.cabrank.handover;

import java.io.EOFException;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.KernelException;
import org.cabrank.socket.transport.AcceptOutcome;
import org.cabrank.stream.Listener;

/** Offers this process's listening sockets to successors, one at a time, until this process is replaced. Safe for use by any thread. */
public final class Successors implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(Successors.class.getName());

    /** Maximum time until a successor has received the sockets. */
    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(10);

    /** Maximum time from passing the sockets to READY. The successor loads its data in this time. */
    private static final Duration READY_TIMEOUT = Duration.ofMinutes(5);

    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final String OWNER_ONLY = "rw-------";

    private final Kernel kernel;
    private final Path path;
    private final Object file;
    private final OfferedSockets offered;
    private final Runnable drain;
    private final ControlSocket socket;

    private ControlSocket successor;
    private boolean ended;

    private Successors(
            Kernel kernel, Path path, Object file, OfferedSockets offered, Runnable drain, ControlSocket socket) {
        this.kernel = kernel;
        this.path = path;
        this.file = file;
        this.offered = offered;
        this.drain = drain;
        this.socket = socket;
    }

    static Successors await(Kernel kernel, Path path, OfferedSockets offered, Runnable drain) throws IOException {
        Handover.requireDirectory(path);
        // Binds to another path and then renames the file. So there is never a file at the path without a listener.
        Path beside = path.resolveSibling(
                path.getFileName() + "." + ProcessHandle.current().pid());
        ControlSocket socket;
        try {
            Files.deleteIfExists(beside); // left by a former process with this number
            socket = ControlSocket.listening(kernel, beside);
        } catch (IOException refused) {
            throw unavailable(path, refused);
        }
        Successors successors;
        try {
            Files.setPosixFilePermissions(beside, PosixFilePermissions.fromString(OWNER_ONLY));
            Object file =
                    Files.readAttributes(beside, BasicFileAttributes.class).fileKey();
            Files.move(beside, path, StandardCopyOption.ATOMIC_MOVE);
            successors = new Successors(kernel, path, file, offered, drain, socket);
        } catch (IOException refused) {
            socket.close();
            Files.deleteIfExists(beside);
            throw unavailable(path, refused);
        }
        Thread thread = new Thread(successors::serve, "handover");
        thread.setDaemon(true);
        thread.start();
        return successors;
    }

    private static IOException unavailable(Path path, IOException cause) {
        return new IOException(
                "cannot offer the listening sockets at " + path + ": " + cause.getMessage()
                        + "; choose a path of up to 90 bytes that this service may write",
                cause);
    }

    private void serve() {
        try {
            boolean replaced = false;
            while (!replaced) {
                ControlSocket next = accept();
                if (!begin(next)) {
                    next.close();
                    return;
                }
                try {
                    replaced = serve(next);
                } finally {
                    finish(next);
                }
            }
        } catch (IOException ended) {
            if (!isEnded()) { // no process can replace this process, which continues to serve
                LOGGER.log(
                        Level.WARNING,
                        "listening sockets are not offered at " + path + " any more: " + ended.getMessage());
            }
        } finally {
            close();
            socket.close();
        }
    }

    /** Tries again while this process or the system lacks descriptors or memory, because the service continues then, too. */
    private ControlSocket accept() throws IOException {
        for (; ; ) {
            try {
                return socket.accept();
            } catch (KernelException refused) {
                if (AcceptOutcome.of(refused.errno()) != AcceptOutcome.SHORTAGE || isEnded()) {
                    throw refused;
                }
            } catch (OutOfMemoryError exhausted) {
                // the connection is closed, and the successor must be started again
            }
            LockSupport.parkNanos(RETRY_NS);
        }
    }

    private synchronized boolean begin(ControlSocket next) {
        successor = next;
        return !ended;
    }

    private synchronized void finish(ControlSocket next) {
        successor = null;
        next.close();
    }

    private synchronized boolean isEnded() {
        return ended;
    }

    /** Returns true if the successor has replaced this process. */
    private boolean serve(ControlSocket next) {
        boolean shared = false;
        try {
            next.timeout(ASK_TIMEOUT);
            if (isStranger(next)) {
                return false;
            }
            ControlSocket.Message asked = next.receive();
            asked.close(kernel);
            if (!asked.text().equals(HandoverMessages.TAKE)) {
                next.send(HandoverMessages.REFUSED + "this process speaks '" + HandoverMessages.TAKE
                        + "'; update it by a full restart");
                return false;
            }
            shared = true;
            pass(next);
            next.timeout(READY_TIMEOUT);
            ControlSocket.Message ready = next.receive();
            ready.close(kernel);
            if (!ready.text().equals(HandoverMessages.READY)) {
                throw new IOException("it has sent '" + ready.text() + "'");
            }
        } catch (EOFException gone) {
            return notReplaced(shared, "it has ended, or failed to start");
        } catch (SocketTimeoutException late) {
            return notReplaced(shared, "it was not ready in time");
        } catch (Throwable failed) { // even an error: lack of memory for one successor must not end the offer
            return notReplaced(shared, failed.getMessage());
        }
        leave(next);
        return true;
    }

    private boolean isStranger(ControlSocket next) throws IOException {
        long user = next.peerUser();
        if (user == ownUser() || user == 0) {
            return false;
        }
        LOGGER.log(Level.WARNING, "a process of user " + user + " has asked for the listening sockets, and got none");
        next.send(HandoverMessages.REFUSED + "it gives its sockets to processes of its own user and of root only");
        return true;
    }

    private void pass(ControlSocket next) throws IOException {
        List<HandedListener> duplicates = offered.share();
        try {
            for (HandedListener each : duplicates) {
                next.send(HandoverMessages.LISTENER + each.address(), each.descriptors());
            }
        } finally {
            Predecessor.close(kernel, duplicates);
        }
        next.send(HandoverMessages.END);
    }

    static List<HandedListener> share(Kernel kernel, List<Listener> listeners) throws IOException {
        List<HandedListener> duplicates = new ArrayList<>();
        try {
            for (Listener listener : listeners) {
                duplicates.add(new HandedListener(text(listener.address()), listener.share()));
            }
            return duplicates;
        } catch (Throwable refused) {
            Predecessor.close(kernel, duplicates);
            throw refused;
        }
    }

    private boolean notReplaced(boolean shared, String why) {
        if (shared) {
            offered.unshare();
        }
        LOGGER.log(Level.WARNING, "a process that was to replace this one did not: " + why + "; this one continues");
        return false;
    }

    /**
     * Called when the successor accepts connections. The successor then owns the path. This process drains even if the successor ends, or
     * if memory is lacking.
     */
    private void leave(ControlSocket next) {
        try {
            synchronized (this) {
                successor = null; // so that close() leaves the successor's connection open for the answer
            }
            close();
            next.send(HandoverMessages.LEFT);
            LOGGER.log(Level.INFO, "another process has taken the listening sockets: this one drains");
        } catch (IOException gone) {
            LOGGER.log(
                    Level.WARNING,
                    "the process that replaces this one has ended, this one drains: " + gone.getMessage());
        } finally {
            startDrain();
        }
    }

    private void startDrain() {
        try {
            new Thread(drain, "handover-drain").start();
        } catch (OutOfMemoryError noThread) { // also thrown if the process may have no more threads
            drain.run();
        }
    }

    /** Ends the offer. Removes the file at the path if it still belongs to this offer. */
    @Override
    public void close() {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            if (successor != null) {
                successor.shutdown();
            }
            socket.shutdown();
        }
        try {
            if (file.equals(
                    Files.readAttributes(path, BasicFileAttributes.class).fileKey())) {
                Files.deleteIfExists(path);
            }
        } catch (IOException gone) {
            LOGGER.log(Level.DEBUG, "no file at " + path, gone);
        }
    }

    static long ownUser() throws IOException {
        return Integer.toUnsignedLong((Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid"));
    }

    private static String text(SocketAddress address) {
        if (address instanceof InetSocketAddress inet) {
            InetAddress ip = inet.getAddress();
            String host = ip.getHostAddress();
            return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + inet.getPort();
        }
        return address.toString();
    }
}

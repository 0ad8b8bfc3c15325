package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.FileFlags;
import org.cabrank.kernel.Kernel;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.socket.calls.Paths;

/**
 * A network namespace (network_namespaces(7)) of a test, with a shell inside. The shell reads its commands from this JVM, so the
 * namespace ends with the JVM at the latest. A socket belongs to the namespace of the thread that has opened it, whichever thread uses it.
 */
final class NetworkNamespace implements AutoCloseable {
    private static final int CLONE_NEWNET = 0x4000_0000;
    private static final String STATUS = "exit status ";
    private static final Kernel KERNEL = TestKernel.any();

    private final Process shell;
    private final BufferedReader output;

    private NetworkNamespace(Process shell) {
        this.shell = shell;
        this.output = shell.inputReader();
    }

    /** Makes a namespace, whose loopback interface is up. Skips the test, with the reason, where the kernel refuses that. */
    static NetworkNamespace open() throws IOException {
        NetworkNamespace made = null;
        String refusal;
        try {
            made = new NetworkNamespace(new ProcessBuilder("unshare", "--net", "sh")
                    .redirectErrorStream(true)
                    .start());
            made.run("ip link set lo up");
            refusal = made.in(() -> "");
        } catch (Exception refused) {
            refusal = refused.getMessage();
        }
        if (!refusal.isEmpty() && made != null) {
            made.close();
        }
        String reason = refusal;
        assumeTrue(
                reason.isEmpty(),
                () -> "no network namespace: " + reason + "; run the tests as root, with util-linux and iproute2");
        return made;
    }

    /** Process id of the shell, by which ip(8) names the namespace. */
    long pid() {
        return shell.pid();
    }

    /**
     * Runs commands of sh(1) in the namespace, up to the first that fails.
     *
     * @return their output
     * @throws IOException if a command fails, with the output
     */
    String run(String script) throws IOException {
        try {
            shell.outputWriter()
                    .write("(PATH=$PATH:/usr/sbin:/sbin; set -e; " + script + "\n) </dev/null; echo \"" + STATUS
                            + "$?\"\n");
            shell.outputWriter().flush();
        } catch (IOException ended) {
            // The output tells why the shell has ended.
        }
        StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(STATUS)) {
                if (!line.equals(STATUS + 0)) {
                    throw new IOException(script + ": " + said.toString().strip());
                }
                return said.toString();
            }
            said.append(line).append('\n');
        }
        throw new IOException("the shell has ended: " + said.toString().strip());
    }

    /** Runs commands that the kernel of this machine may not know; skips the test, with their output, if they fail. */
    void runIfKnown(String script) throws IOException {
        String refusal = "";
        try {
            run(script);
        } catch (IOException failed) {
            refusal = failed.getMessage();
        }
        assumeTrue(refusal.isEmpty(), refusal);
    }

    /** Returns a counter of {@code /proc/net/snmp}. */
    long counter(String protocol, String name) throws IOException {
        String[] lines = run("grep '^" + protocol + ":' /proc/net/snmp").split("\n");
        String[] names = lines[0].split(" ");
        for (int i = 0; i < names.length; i++) {
            if (names[i].equals(name)) {
                return Long.parseLong(lines[1].split(" ")[i]);
            }
        }
        throw new IOException("the kernel counts no " + name);
    }

    /** Calls {@code action} on this thread in the namespace, for instance to open sockets and to look up interfaces. */
    <T> T in(Callable<T> action) throws Exception {
        int outside = namespaceOf("thread-self");
        int inside = namespaceOf("" + pid());
        try {
            enter(inside);
            try {
                return action.call();
            } finally {
                enter(outside);
            }
        } finally {
            KERNEL.close(inside);
            KERNEL.close(outside);
        }
    }

    private static int namespaceOf(String process) throws IOException {
        Path file = Path.of("/proc", process, "ns", "net");
        return Errno.check(
                "open " + file,
                NativeArgument.pass(
                        KERNEL,
                        Paths.zeroTerminated(file),
                        path -> KERNEL.open(path, FileFlags.O_RDONLY | FileFlags.O_CLOEXEC, 0)));
    }

    /** Calls setns(2), which no backend needs, by the names of JNA's classes. */
    private static void enter(int namespace) throws IOException {
        int result;
        try {
            Class<?> library = Class.forName("com.sun.jna.NativeLibrary");
            Object process = library.getMethod("getProcess").invoke(null);
            Object setns = library.getMethod("getFunction", String.class).invoke(process, "setns");
            result = (Integer)
                    setns.getClass().getMethod("invokeInt", Object[].class).invoke(setns, (Object)
                            new Object[] {namespace, CLONE_NEWNET});
        } catch (ReflectiveOperationException unavailable) {
            throw new IOException("setns: JNA is unavailable", unavailable);
        }
        if (result != 0) {
            throw new IOException("setns failed: it takes CAP_SYS_ADMIN");
        }
    }

    /** Ends the namespace, unless a socket of it is open. */
    @Override
    public void close() {
        shell.destroyForcibly();
    }
}

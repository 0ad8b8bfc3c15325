package org.cabrank.bench.run;

import java.io.EOFException;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ContenderProcess;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.LabTls;
import org.cabrank.bench.contender.NativeContender;
import org.cabrank.bench.contender.Protocol;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.handler.SlowRequests;
import org.cabrank.bench.measure.GarbageCollections;
import org.cabrank.bench.measure.JvmMemory;
import org.cabrank.bench.measure.ProcessMemory;
import org.cabrank.bench.measure.ProcessSample;
import org.cabrank.bench.measure.ProcessUsage;
import org.cabrank.bench.measure.UnweighableException;
import org.cabrank.bench.text.HostPort;

final class ServerProcess implements AutoCloseable {

    private static final long START_TIMEOUT_NS = 60_000_000_000L;
    private static final long ANSWER_TIMEOUT_NS = 30_000_000_000L;

    private static final int DATAGRAM_TIMEOUT_MS = 100;

    private static final byte[] HTTP_REQUEST =
            "GET / HTTP/1.1\r\nHost: bench\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] ONE_BYTE = {42};

    private final Child child;
    private final boolean answersQuestions;
    private final HostPort address;
    private final Protocol protocol;
    private final LabTls tls;
    private final String details;
    private final long startToFirstAnswerNs;
    private boolean asked;

    private SlowRequests slowNow;

    private ServerProcess(
            Child child,
            boolean answersQuestions,
            HostPort address,
            Protocol protocol,
            LabTls tls,
            String details,
            long startToFirstAnswerNs) {
        this.child = child;
        this.answersQuestions = answersQuestions;
        this.address = address;
        this.protocol = protocol;
        this.tls = tls;
        this.details = details;
        this.startToFirstAnswerNs = startToFirstAnswerNs;
    }

    /** Waits for the first answer. */
    static ServerProcess start(
            Contender contender,
            ServerSettings settings,
            JvmCommand jvm,
            Pinning pinning,
            CpuList cpus,
            Children children)
            throws IOException, ChildFailedException, InterruptedException {
        boolean answersQuestions = !(contender instanceof NativeContender);
        List<String> command = contender instanceof NativeContender program
                ? program.command(settings)
                : jvmCommand(contender, settings, jvm, cpus);
        long spawnNs = System.nanoTime();
        Child child = new Child(contender.name(), command, pinning, cpus, children);
        boolean started = false;
        try {
            String listening = listening(child.await("", START_TIMEOUT_NS), child);
            int space = listening.indexOf(' ');
            HostPort address = HostPort.parse(listening.substring(0, space));
            LabTls tls = settings.protocol().overTls() ? settings.tls() : null;
            if (settings.protocol().connects()) {
                firstAnswer(address.resolve(), settings.protocol(), tls, child);
            } else {
                firstDatagram(address.resolve(), child);
            }
            long startToFirstAnswerNs = System.nanoTime() - spawnNs;
            started = true;
            return new ServerProcess(
                    child,
                    answersQuestions,
                    address,
                    settings.protocol(),
                    tls,
                    listening.substring(space + 1),
                    startToFirstAnswerNs);
        } finally {
            if (!started) {
                child.close();
            }
        }
    }

    private static List<String> jvmCommand(Contender contender, ServerSettings settings, JvmCommand jvm, CpuList cpus)
            throws ContenderUnavailableException {
        List<String> flags = new ArrayList<>(HeapFlags.beside(jvm.flags(), cpus.size()));
        flags.addAll(contender.jvmFlags(Runtime.version().feature()));
        if (settings.protocol().overTls()) {
            flags.addAll(LabTls.jvmFlags());
        }
        List<String> arguments = new ArrayList<>(List.of(contender.name()));
        arguments.addAll(settings.toArguments());
        return jvm.run(flags, contender.libraries(), ContenderProcess.class, arguments);
    }

    private static String listening(String line, Child child)
            throws ContenderUnavailableException, ChildFailedException {
        if (line.startsWith(ContenderProcess.UNAVAILABLE)) {
            throw new ContenderUnavailableException(line.substring(ContenderProcess.UNAVAILABLE.length()));
        }
        if (!line.startsWith(ContenderProcess.LISTENING)) {
            throw child.failed("said '" + line + "' instead of '" + ContenderProcess.LISTENING.strip() + "'");
        }
        return line.substring(ContenderProcess.LISTENING.length());
    }

    private static void firstAnswer(InetSocketAddress address, Protocol protocol, LabTls tls, Child child)
            throws ChildFailedException {
        try {
            byte[] request = protocol.isHttp() ? HTTP_REQUEST : ONE_BYTE;
            if (tls == null) {
                beginAnswer(address, request);
            } else {
                beginAnswer(address, tls, request);
            }
        } catch (IOException noAnswer) {
            throw child.failed("gave no first answer: " + noAnswer.getMessage());
        }
    }

    /** Sends a datagram repeatedly until an answer arrives, because datagrams may be lost. */
    private static void firstDatagram(InetSocketAddress address, Child child) throws ChildFailedException {
        long startNs = System.nanoTime();
        DatagramPacket answer = new DatagramPacket(new byte[ONE_BYTE.length], ONE_BYTE.length);
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(address);
            socket.setSoTimeout(DATAGRAM_TIMEOUT_MS);
            while (true) {
                socket.send(new DatagramPacket(ONE_BYTE, ONE_BYTE.length));
                try {
                    socket.receive(answer);
                    return;
                } catch (SocketTimeoutException silent) {
                    if (System.nanoTime() - startNs > ANSWER_TIMEOUT_NS) {
                        throw silent;
                    }
                }
            }
        } catch (IOException noAnswer) {
            throw child.failed("gave no first answer: " + noAnswer.getMessage());
        }
    }

    static void echoOneByte(InetSocketAddress address) throws IOException {
        beginAnswer(address, ONE_BYTE);
    }

    private static void beginAnswer(InetSocketAddress address, LabTls tls, byte[] request) throws IOException {
        try (Socket socket = ServerConnection.to(address, tls, (int) (ANSWER_TIMEOUT_NS / 1_000_000))) {
            socket.getOutputStream().write(request);
            if (socket.getInputStream().read() < 0) {
                throw new EOFException("closed instead of answered");
            }
        }
    }

    private static void beginAnswer(InetSocketAddress address, byte[] request) throws IOException {
        try (SocketChannel channel = SocketChannel.open()) {
            channel.socket().connect(address, (int) (ANSWER_TIMEOUT_NS / 1_000_000));
            channel.write(ByteBuffer.wrap(request));
            if (channel.read(ByteBuffer.allocate(1)) < 0) {
                throw new EOFException("closed instead of answered");
            }
        }
    }

    HostPort address() {
        return address;
    }

    Protocol protocol() {
        return protocol;
    }

    LabTls tls() {
        return tls;
    }

    String details() {
        return details;
    }

    long startToFirstAnswerNs() {
        return startToFirstAnswerNs;
    }

    long pid() {
        return child.pid();
    }

    boolean alive() {
        return child.alive();
    }

    String logTail() {
        return child.logTail();
    }

    ChildFailedException failed(String what) {
        return child.failed(what);
    }

    /** Returns {@link ProcessUsage#UNKNOWN} for a program without a JVM. */
    long allocatedBytes() throws ChildFailedException, InterruptedException {
        if (!answersQuestions) {
            return ProcessUsage.UNKNOWN;
        }
        child.send(ContenderProcess.ALLOCATED);
        return Long.parseLong(child.await(ContenderProcess.ALLOCATED + " ", ANSWER_TIMEOUT_NS));
    }

    /** Queries the server before the first measurement, because the first query loads classes. */
    void askOnce() throws ChildFailedException, InterruptedException {
        if (!asked) {
            allocatedBytes();
            collections();
            asked = true;
        }
    }

    GarbageCollections collections() throws ChildFailedException, InterruptedException {
        if (!answersQuestions) {
            return null;
        }
        child.send(ContenderProcess.COLLECTIONS);
        String[] answer = child.await(ContenderProcess.COLLECTIONS + " ", ANSWER_TIMEOUT_NS)
                .split(" ");
        return new GarbageCollections(Long.parseLong(answer[0]), Long.parseLong(answer[1]));
    }

    /** Called between intervals only. */
    void change(SlowRequests slow) throws ChildFailedException, InterruptedException {
        if (!slow.equals(slowNow)) {
            child.send(ContenderProcess.SLOW + String.join(" ", ServerSettings.slowArguments(slow)));
            child.await(ContenderProcess.SLOW, ANSWER_TIMEOUT_NS);
            slowNow = slow;
        }
    }

    int descriptors() throws ChildFailedException {
        try {
            return ProcessMemory.descriptors(pid());
        } catch (IOException gone) {
            throw ended(gone);
        }
    }

    boolean compiles() throws ChildFailedException {
        try {
            return ProcessSample.of(pid()).compiles();
        } catch (IOException gone) {
            throw ended(gone);
        }
    }

    void awaitCompilerRest() throws ChildFailedException, InterruptedException {
        try {
            CompilerRest.await(pid());
        } catch (IOException gone) {
            throw ended(gone);
        }
    }

    /** Called if the process's files in /proc cannot be read, because the process has ended. */
    private ChildFailedException ended(IOException gone) {
        return child.failed("ended (" + gone.getMessage() + ")");
    }

    /** Returns the bytes of {@link JvmMemory}, which needs {@link Weighing#flagsBeside}. Without a JVM, counts all private pages. */
    long memoryBytes() throws UnweighableException, ChildFailedException, InterruptedException {
        if (!answersQuestions) {
            return privateBytes();
        }
        child.send(ContenderProcess.MEMORY);
        String answer = child.await("", ANSWER_TIMEOUT_NS);
        if (answer.startsWith(ContenderProcess.UNWEIGHABLE)) {
            throw new UnweighableException(answer.substring(ContenderProcess.UNWEIGHABLE.length()));
        }
        if (!answer.startsWith(ContenderProcess.MEMORY + " ")) {
            throw child.failed("said '" + answer + "' instead of '" + ContenderProcess.MEMORY + "'");
        }
        return Long.parseLong(answer.substring(ContenderProcess.MEMORY.length() + 1));
    }

    private long privateBytes() throws ChildFailedException {
        try {
            return ProcessMemory.privateBytes(pid());
        } catch (IOException gone) {
            throw ended(gone);
        }
    }

    @Override
    public void close() {
        child.close();
    }
}

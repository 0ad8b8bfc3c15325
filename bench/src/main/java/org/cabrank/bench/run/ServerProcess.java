package org.cabrank.bench.run;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.Cabrank;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.ContenderProcess;
import org.cabrank.bench.contender.ContenderUnavailableException;
import org.cabrank.bench.contender.ServerSettings;
import org.cabrank.bench.report.RunRecord;
import org.cabrank.bench.text.HostPort;

/** A contender in a process of its own. */
final class ServerProcess implements AutoCloseable {

    private static final long START_TIMEOUT_NS = 20_000_000_000L;
    private static final long ANSWER_TIMEOUT_NS = 10_000_000_000L;

    private final Child child;
    private final HostPort address;
    private final String details;
    private final long startToFirstAnswerNs;
    private final RunRecord.Calibration calibration;

    private ServerProcess(
            Child child,
            HostPort address,
            String details,
            long startToFirstAnswerNs,
            RunRecord.Calibration calibration) {
        this.child = child;
        this.address = address;
        this.details = details;
        this.startToFirstAnswerNs = startToFirstAnswerNs;
        this.calibration = calibration;
    }

    /**
     * Starts it and has it echo one byte.
     *
     * @throws ContenderUnavailableException when it says itself that it cannot run here
     */
    static ServerProcess start(
            Contender contender,
            ServerSettings settings,
            JvmCommand jvm,
            Pinning pinning,
            CpuList cpus,
            Children children)
            throws IOException, ChildFailedException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(Cabrank.CONTENDER, contender.name()));
        arguments.addAll(settings.toArguments());
        List<String> flags = contender.jvmFlags(Runtime.version().feature());
        long spawnNs = System.nanoTime();
        Child child = new Child(contender.name(), jvm.run(flags, Cabrank.class, arguments), pinning, cpus, children);
        boolean started = false;
        try {
            String listening = listening(child.await("", START_TIMEOUT_NS), child);
            int space = listening.indexOf(' ');
            HostPort address = HostPort.parse(listening.substring(0, space));
            firstAnswer(address.resolve(), child);
            long startToFirstAnswerNs = System.nanoTime() - spawnNs;
            RunRecord.Calibration calibration = settings.workNs() == 0 ? null : calibration(child);
            started = true;
            return new ServerProcess(child, address, listening.substring(space + 1), startToFirstAnswerNs, calibration);
        } finally {
            if (!started) {
                child.close();
            }
        }
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

    private static RunRecord.Calibration calibration(Child child) throws ChildFailedException, InterruptedException {
        child.send(ContenderProcess.CALIBRATION);
        String[] numbers = child.await(ContenderProcess.CALIBRATION + " ", ANSWER_TIMEOUT_NS)
                .split(" ");
        return new RunRecord.Calibration(Double.parseDouble(numbers[0]), Double.parseDouble(numbers[1]));
    }

    private static void firstAnswer(InetSocketAddress address, Child child) throws ChildFailedException {
        try {
            echoOneByte(address);
        } catch (IOException noAnswer) {
            throw child.failed("gave no first answer: " + noAnswer.getMessage());
        }
    }

    /** Connects to an echo server and gets one byte back. */
    static void echoOneByte(InetSocketAddress address) throws IOException {
        try (SocketChannel channel = SocketChannel.open()) {
            channel.socket().connect(address, (int) (ANSWER_TIMEOUT_NS / 1_000_000));
            ByteBuffer one = ByteBuffer.wrap(new byte[] {42});
            channel.write(one);
            one.clear();
            if (channel.read(one) < 0) {
                throw new EOFException("closed instead of answered");
            }
        }
    }

    HostPort address() {
        return address;
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

    /** The bytes that its threads have allocated so far. */
    long allocatedBytes() throws ChildFailedException, InterruptedException {
        child.send(ContenderProcess.ALLOCATED);
        return Long.parseLong(child.await(ContenderProcess.ALLOCATED + " ", ANSWER_TIMEOUT_NS));
    }

    /** How long a step of simulated work takes it; null where its requests have none. */
    RunRecord.Calibration calibration() {
        return calibration;
    }

    @Override
    public void close() {
        child.close();
    }
}

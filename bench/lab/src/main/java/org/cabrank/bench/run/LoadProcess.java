package org.cabrank.bench.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.cabrank.affinity.CpuList;
import org.cabrank.bench.contender.LabTls;
import org.cabrank.bench.contender.NettyOpenSsl;
import org.cabrank.bench.load.LoadRequest;
import org.cabrank.bench.load.LoadTraffic;
import org.cabrank.bench.report.GeneratorReport;

/** The load generator's process. The same process loads all contenders, so that the generator has the same speed for each. */
final class LoadProcess implements AutoCloseable {

    /** Without deep inlining, every system call would allocate an object. The other flags are for TLS. */
    private static final List<String> FLAGS = Stream.of(
                    List.of("-XX:MaxInlineLevel=40"), LabTls.jvmFlags(), NettyOpenSsl.jvmFlags())
            .flatMap(List::stream)
            .toList();

    /** Long enough for a server that loads its classes from a slow disk. */
    private static final long LOAD_TIMEOUT_NS = 15_000_000_000L;

    /** Longer than all timeouts within the process together. */
    private static final long ANSWER_TIMEOUT_NS = 60_000_000_000L;

    private final Child child;
    private final ObjectMapper json = new ObjectMapper();

    LoadProcess(JvmCommand jvm, Pinning pinning, CpuList cpus, Children children) throws IOException {
        child = new Child(
                "the load generator", jvm.run(FLAGS, GeneratorProcess.class, List.of()), pinning, cpus, children);
    }

    void begin(ServerProcess server, LoadTraffic traffic, int threads)
            throws ChildFailedException, InterruptedException {
        LoadRequest request = new LoadRequest(
                server.address().toString(),
                traffic,
                threads,
                LOAD_TIMEOUT_NS,
                server.pid(),
                server.tls() == null ? null : server.tls().directory().toString());
        String command = switch (server.protocol()) {
            case DATAGRAMS -> GeneratorProcess.DATAGRAMS;
            case DATAGRAM_SEGMENTS -> GeneratorProcess.SEGMENTS;
            default -> GeneratorProcess.LOAD;
        };
        ask(command + line(request), GeneratorProcess.CONNECTED);
    }

    private String line(LoadRequest request) {
        try {
            return json.writeValueAsString(request);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a record of numbers and words can be written", impossible);
        }
    }

    void beginMeasuring() throws ChildFailedException, InterruptedException {
        ask(GeneratorProcess.MEASURE, GeneratorProcess.MEASURING);
    }

    void endMeasuring() throws ChildFailedException, InterruptedException {
        ask(GeneratorProcess.MEASURED, GeneratorProcess.MEASURED);
    }

    GeneratorReport finish() throws ChildFailedException, InterruptedException {
        String result = ask(GeneratorProcess.FINISH, GeneratorProcess.RESULT);
        try {
            return json.readValue(result, GeneratorReport.class);
        } catch (IOException garbled) {
            throw child.failed("sent a result that cannot be read: " + garbled.getMessage());
        }
    }

    private String ask(String command, String answer) throws ChildFailedException, InterruptedException {
        child.send(command);
        return child.await(answer, ANSWER_TIMEOUT_NS);
    }

    @Override
    public void close() {
        child.close();
    }
}

package org.cabrank.example;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.cabrank.bench.end.JavaCommand;

/** A process that runs an example, and a client of the example. */
record ExampleProcess(Process process, Socket client) implements AutoCloseable {
    private static final Pattern LISTENING = Pattern.compile("listening on \\S*:(\\d+)");

    static ExampleProcess start(String example) throws IOException {
        List<String> command = JavaCommand.quickly("org.cabrank.example." + example, "-XX:TieredStopAtLevel=1");
        command.add("0");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            Socket client = new Socket("127.0.0.1", port(process.inputReader()));
            client.setSoTimeout((int) TimeUnit.SECONDS.toMillis(120));
            return new ExampleProcess(process, client);
        } catch (IOException | RuntimeException notStarted) {
            process.destroyForcibly();
            throw notStarted;
        }
    }

    private static int port(BufferedReader output) throws IOException {
        StringBuilder read = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher listening = LISTENING.matcher(line);
            if (listening.find()) {
                return Integer.parseInt(listening.group(1));
            }
            read.append(line).append('\n');
        }
        throw new IOException("the example has ended:\n" + read);
    }

    @Override
    public void close() throws IOException {
        client.close();
        process.destroy();
        try {
            if (!process.waitFor(120, TimeUnit.SECONDS)) {
                throw new IOException("the example does not end after SIGTERM");
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}

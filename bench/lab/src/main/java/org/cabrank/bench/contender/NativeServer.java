package org.cabrank.bench.contender;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import org.cabrank.bench.text.HostPort;

record NativeServer(Process process, InetSocketAddress address, String details) implements RunningServer {

    static RunningServer start(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        boolean started = false;
        try {
            RunningServer server = listening(process, command.get(0));
            started = true;
            return server;
        } finally {
            if (!started) {
                process.destroyForcibly();
            }
        }
    }

    private static RunningServer listening(Process process, String program) throws IOException {
        BufferedReader output = process.inputReader();
        String line = output.readLine();
        if (line == null) {
            throw new IOException(program + " ended without a word");
        }
        if (line.startsWith(ContenderProcess.UNAVAILABLE)) {
            throw new ContenderUnavailableException(line.substring(ContenderProcess.UNAVAILABLE.length()));
        }
        if (!line.startsWith(ContenderProcess.LISTENING)) {
            throw new IOException(program + " said '" + line + "'");
        }
        String[] words = line.substring(ContenderProcess.LISTENING.length()).split(" ", 2);
        return new NativeServer(process, HostPort.parse(words[0]).resolve(), words[1]);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
    }
}

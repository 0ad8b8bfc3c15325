package org.cabrank.bench.end;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.fixture.InSoak;
import org.cabrank.bench.fixture.NewestJdk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code cabrank load} and the output of commands, as processes. */
@NewestJdk
@Timeout(300)
final class LoadProcessTest {

    private static String command(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(JavaCommand.cabrank());
        command.addAll(List.of(arguments));
        return PseudoTerminal.quoted(command);
    }

    private static String load(ServeProcess server, String... more) throws IOException {
        List<String> arguments =
                new ArrayList<>(List.of("load", "--connect", server.address().toString(), "--connections", "2"));
        arguments.addAll(List.of(more));
        return command(arguments.toArray(String[]::new));
    }

    @Test
    void progressIsShownAndCtrlCPrintsAndSavesWhatWasMeasured(@TempDir Path directory) throws Exception {
        Path json = directory.resolve("load.json");
        try (ServeProcess server = ServeProcess.start(null, "echo", "--listen", "127.0.0.1:0")) {
            String load =
                    load(server, "--rate", "200", "--warmup", "1ms", "--duration", "60min", "--json", json.toString());
            try (PseudoTerminal terminal =
                    PseudoTerminal.start("xterm", 80, 24, "umask 027; " + load + "; echo status $?")) {
                terminal.awaitShown(shown -> shown.contains("measuring: 1 s of 3600 s"));
                terminal.press("\003");
                String shown = terminal.awaitShown(text -> text.contains("status "));
                assertTrue(shown.contains("ended by Ctrl-C: the result is that of the time until then"), shown);
                assertTrue(shown.contains(" requests/s, ") && shown.contains("latency p50 "), shown);
                assertTrue(shown.contains("status 0"), shown);
                terminal.awaitEnd();
            }
        }
        assertTrue(Files.readString(json).contains("\"answers\""), () -> "no result in " + json);
        assertEquals("rw-r-----", PosixFilePermissions.toString(Files.getPosixFilePermissions(json)));
    }

    @InSoak
    @Test
    void ctrlCDuringTheWarmUpSaysThatNothingWasMeasured() throws Exception {
        try (ServeProcess server = ServeProcess.start(null, "echo", "--listen", "127.0.0.1:0");
                PseudoTerminal terminal =
                        PseudoTerminal.start("xterm", 80, 24, load(server, "--warmup", "60min") + "; echo status $?")) {
            terminal.awaitShown(shown -> shown.contains("warm-up: 1 s of 3600 s"));
            terminal.press("\003");
            String shown = terminal.awaitShown(text -> text.contains("status "));
            assertTrue(shown.contains("ended by Ctrl-C during the warm-up: nothing was measured"), shown);
            assertTrue(shown.contains("status 1"), shown);
            terminal.awaitEnd();
        }
    }

    @Test
    void outputThatCannotBeWrittenFailsACommand() throws Exception {
        Process process = new ProcessBuilder("sh", "-c", command("topology") + " >/dev/full").start();
        String errors = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(1, process.waitFor(), errors);
        assertEquals("cabrank: standard output could not be written: No space left on device\n", errors);
    }

    @Test
    void commandsSayNothingOfTheBindingThatWorks() throws Exception {
        Process process = new ProcessBuilder("sh", "-c", command("topology")).start();
        assertTrue(process.getInputStream().readAllBytes().length > 0);
        assertEquals("", new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(0, process.waitFor());
    }

    @Test
    void theShellCompletesCommandsAndFlags() throws Exception {
        String asked =
                "COMP_WORDS=(cabrank serve echo --back); COMP_CWORD=3; _complete_cabrank; echo \"${COMPREPLY[@]}\"";
        Process process = new ProcessBuilder("bash", "-c", "source <(" + command("generate-completion") + "); " + asked)
                .redirectErrorStream(true)
                .start();
        String shown = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertTrue(shown.contains("--backend"), shown);
        assertEquals(0, process.waitFor(), shown);
    }
}

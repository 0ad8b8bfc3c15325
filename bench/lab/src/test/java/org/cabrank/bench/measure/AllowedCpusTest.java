package org.cabrank.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.cabrank.affinity.CpuList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class AllowedCpusTest {

    private static final long PID = 4242;

    @TempDir
    Path proc;

    @Test
    void theLineOfTheStatusIsRead() throws IOException {
        status("Name:\tjava\nCpus_allowed:\t0f\nCpus_allowed_list:\t0-2,7\nMems_allowed:\t1\n");
        assertEquals(CpuList.parse("0-2,7"), AllowedCpus.of(proc, PID));
    }

    @Test
    void aStatusWithoutTheLineIsRefused() throws IOException {
        status("Name:\tjava\n");
        String message =
                assertThrows(IOException.class, () -> AllowedCpus.of(proc, PID)).getMessage();
        assertTrue(message.contains("Cpus_allowed_list"), message);
    }

    @Test
    void thisProcessMayUseSome() throws IOException {
        assertTrue(AllowedCpus.of(ProcessHandle.current().pid()).size() > 0);
    }

    private void status(String text) throws IOException {
        Path process = Files.createDirectory(proc.resolve(Long.toString(PID)));
        Files.writeString(process.resolve("status"), text);
    }
}

package org.cabrank.bench.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Network namespaces joined by a veth pair, where this process may make them. */
@Timeout(300)
final class VethNetworkTest {

    private static final String ROOT = "Name:\tjava\nCapEff:\t000001ffffffffff\nCapBnd:\t000001ffffffffff\n";
    private static final String USER = "Name:\tjava\nCapEff:\t0000000000000000\nCapBnd:\t000001ffffffffff\n";

    @TempDir
    Path directory;

    private Path namespace(String role) {
        return Path.of(
                "/run/netns", "cabrank-" + role + "-" + ProcessHandle.current().pid());
    }

    @Test
    void aUserWhoIsNotRootIsToldTheRemedy() throws Exception {
        for (String name : List.of("ip", "nsenter")) {
            Path program = Files.createFile(directory.resolve(name));
            assertTrue(program.toFile().setExecutable(true));
        }
        assertEquals(Optional.empty(), VethNetwork.obstacle(directory.toString(), ROOT));
        assertTrue(
                VethNetwork.obstacle(directory.toString(), USER).orElseThrow().endsWith("run the command with sudo"));
        assertEquals(Optional.of("no ip: apt-get install iproute2"), VethNetwork.obstacle("/nowhere", ROOT));
        Files.delete(directory.resolve("nsenter"));
        assertEquals(
                Optional.of("no nsenter: apt-get install util-linux"),
                VethNetwork.obstacle(directory.toString(), ROOT));
    }

    @Test
    void theLoadReachesTheServersAndNothingIsLeftAfterwards() throws Exception {
        assumeTrue(VethNetwork.obstacle().isEmpty(), () -> "not root, or no ip");
        Path said = directory.resolve("said");
        VethNetwork network = VethNetwork.create();
        try {
            assertTrue(Files.exists(namespace("load")) && Files.exists(namespace("serve")));
            // Nobody listens there, which only a kernel that was reached can say.
            String connect = "(exec 3<>/dev/tcp/" + VethNetwork.SERVER_ADDRESS + "/9) 2>" + said + "; exit 7";
            assertEquals(7, network.run(List.of("bash", "-c", connect)));
            assertTrue(Files.readString(said).contains("Connection refused"), Files.readString(said));
        } finally {
            network.close();
        }
        assertFalse(Files.exists(namespace("load")) || Files.exists(namespace("serve")));
        network.close(); // a second time, without effect
    }

    /** A process in a namespace keeps it alive, and would keep it after its file has gone. */
    @Test
    void whatStillRunsInANamespaceIsKilledWithIt() throws Exception {
        assumeTrue(VethNetwork.obstacle().isEmpty(), () -> "not root, or no ip");
        Process sleeper;
        VethNetwork network = VethNetwork.create();
        try {
            sleeper = new ProcessBuilder("nsenter", "--net=" + namespace("serve"), "--", "sleep", "1000").start();
            // The program changes its name when it is in the namespace.
            while (!sleeper.info().command().orElse("").endsWith("sleep")) {
                assertTrue(sleeper.isAlive());
                Thread.onSpinWait();
            }
        } finally {
            network.close();
        }
        assertEquals(128 + 9, sleeper.waitFor());
    }
}

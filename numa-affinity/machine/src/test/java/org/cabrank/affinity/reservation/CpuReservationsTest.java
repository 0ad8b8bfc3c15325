package org.cabrank.affinity.reservation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.cabrank.affinity.CpuList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuReservationsTest {
    @TempDir
    private Path temporary;

    private Path directory;
    private CpuReservations reservations;

    @BeforeEach
    void openADesk() throws Exception {
        directory = temporary.resolve("locks");
        reservations = CpuReservations.in(directory);
    }

    private static CpuList cpus(String list) {
        return CpuList.parse(list);
    }

    private static CpuList free(CpuReservations reservations, CpuList among) throws CpuReservationException {
        return among.without(CpuList.of(reservations.holders(among).keySet()));
    }

    /** The CPUs that somebody else has, as the message names them. */
    private static CpuList taken(CpuReservationException refused) {
        return Pattern.compile("CPU ([0-9,-]+) is reserved by")
                .matcher(refused.getMessage())
                .results()
                .map(part -> CpuList.parse(part.group(1)))
                .reduce(CpuList.of(), CpuList::union);
    }

    private CpuReservationException refused(String list) {
        return assertThrows(CpuReservationException.class, () -> reservations.reserve(cpus(list), "second"));
    }

    @Test
    void cpuThatAnotherProcessHasIsRefusedWithItsNameAndTheRemedy() throws Exception {
        try (ReservingProcess other = ReservingProcess.start(directory, "2-3,8", "cabrank serve echo")) {
            assertEquals("reserved 2-3,8", other.outcome());
            CpuReservationException refused = refused("1-4");
            assertEquals(
                    "CPU 2-3 is reserved by process " + other.pid()
                            + " (cabrank serve echo): choose other CPUs, end the process that has them, or do without a"
                            + " reservation",
                    refused.getMessage());
            assertEquals(cpus("2-3"), taken(refused));
            assertEquals(cpus("0-1,4-7,9"), free(reservations, cpus("0-9")));
            assertEquals(
                    new Holder(other.pid(), "cabrank serve echo"),
                    reservations.holders(cpus("0-9")).get(8));
            // Looking has taken nothing away from the other, and nothing was left behind by what failed.
            assertEquals(cpus("2-3,8"), taken(refused("0-9")));
            try (CpuReservation mine = reservations.reserve(cpus("0-1,4"), "mine")) {
                assertEquals(cpus("0-1,4"), mine.cpus());
            }
        }
    }

    @Test
    void reservationVanishesWithItsProcess() throws Exception {
        try (ReservingProcess other = ReservingProcess.start(directory, "0", "killed")) {
            assertEquals("reserved 0", other.outcome());
            assertEquals(cpus("0"), taken(refused("0")));
            other.kill();
            // The killed process's text is still in the file; without a lock it has no effect.
            assertEquals(other.pid() + " killed\n", Files.readString(directory.resolve("cpu0")));
            assertEquals(cpus("0"), free(reservations, cpus("0")));
            reservations.reserve(cpus("0"), "second").close();
        }
    }

    @Test
    void reservationIsGivenBackWhileTheProcessGoesOn() throws Exception {
        try (ReservingProcess other = ReservingProcess.start(directory, "0-1", "first")) {
            assertEquals("reserved 0-1", other.outcome());
            other.giveBack();
            assertEquals(cpus("0-1"), free(reservations, cpus("0-1")));
        }
    }

    @Test
    void otherProcessIsRefusedWhatThisOneHas() throws Exception {
        try (CpuReservation mine = reservations.reserve(cpus("5"), "the test")) {
            // Each of these opens files; none may be that of a CPU that this process has: it would lose its lock.
            free(reservations, cpus("0-9"));
            reservations.holders(cpus("5"));
            assertEquals(cpus("5"), taken(refused("4-5")));
            try (ReservingProcess other = ReservingProcess.start(directory, "5-6", "other")) {
                String outcome = other.outcome();
                assertTrue(
                        outcome.startsWith("CPU 5 is reserved by process "
                                + ProcessHandle.current().pid() + " (the test): "),
                        outcome);
            }
            assertEquals(cpus("5"), mine.cpus());
        }
        try (ReservingProcess other = ReservingProcess.start(directory, "5-6", "other")) {
            assertEquals("reserved 5-6", other.outcome());
        }
    }

    @Test
    void reservationsOfThisProcessExcludeEachOtherToo() throws Exception {
        CpuReservation first = reservations.reserve(cpus("0-1"), "first");
        CpuReservations again = CpuReservations.in(directory);
        assertEquals(
                cpus("1"),
                taken(assertThrows(CpuReservationException.class, () -> again.reserve(cpus("1-2"), "second"))));
        assertEquals(cpus("2"), free(again, cpus("0-2")));
        first.close();
        first.close();
        try (CpuReservation second = again.reserve(cpus("1-2"), "second")) {
            assertEquals(cpus("0"), free(reservations, cpus("0-2")));
            assertEquals(cpus("1-2"), second.cpus());
        }
    }

    @Test
    void fileThatWasMadeAnewIsAnotherAndIsTheOneThatIsLocked() throws Exception {
        try (CpuReservation lost = reservations.reserve(cpus("0"), "lost")) {
            Files.delete(directory.resolve("cpu0"));
            assertEquals(cpus("0"), free(reservations, cpus("0")), "nobody can find the lock of a file that is gone");
            try (CpuReservation found = reservations.reserve(cpus("0"), "found");
                    ReservingProcess other = ReservingProcess.start(directory, "0", "other")) {
                assertTrue(other.outcome().contains("(found)"), other.outcome());
                assertEquals(lost.cpus(), found.cpus());
            }
        }
    }

    /** A directory that is mounted at two places: the paths differ, but the file is one. */
    @Test
    void fileIsKnownByWhateverPathItIsReached() throws Exception {
        Path moved = temporary.resolve("moved");
        try (CpuReservation mine = reservations.reserve(cpus("0"), "mine")) {
            Files.move(directory, moved);
            CpuReservations elsewhere = CpuReservations.in(moved);
            assertEquals(CpuList.of(), free(elsewhere, mine.cpus()));
            try (ReservingProcess other = ReservingProcess.start(moved, "0", "other")) {
                assertTrue(other.outcome().contains("(mine)"), "looking has not given the lock away");
            }
        }
    }

    /** Without a lock over all, each of two would take half and both fail. */
    @Test
    void ofThoseThatWantTheSameCpusOneGetsThemAll() throws Exception {
        int threads = 4;
        CyclicBarrier together = new CyclicBarrier(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            for (int round = 0; round < 20; round++) {
                List<Future<CpuReservation>> attempts = new ArrayList<>();
                for (int i = 0; i < threads; i++) {
                    Callable<CpuReservation> attempt = () -> {
                        together.await();
                        try {
                            return reservations.reserve(cpus("0-7"), "one of several");
                        } catch (CpuReservationException refused) {
                            assertEquals(cpus("0-7"), taken(refused));
                            return null;
                        }
                    };
                    attempts.add(executor.submit(attempt));
                }
                List<CpuReservation> made = new ArrayList<>();
                for (Future<CpuReservation> attempt : attempts) {
                    if (attempt.get() != null) {
                        made.add(attempt.get());
                    }
                }
                assertEquals(1, made.size());
                made.get(0).close();
            }
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void everybodyMayLockAndNobodyMayRemoveTheFilesOfOthers() throws Exception {
        reservations.reserve(cpus("3"), "mine").close();
        assertEquals(01777, (Integer) Files.getAttribute(directory, "unix:mode") & 07777);
        for (String file : List.of("lock", "cpu3")) {
            assertEquals(
                    PosixFilePermissions.fromString("rw-rw-rw-"),
                    Files.getPosixFilePermissions(directory.resolve(file)));
        }
    }

    @Test
    void linkIsNotFollowed() throws Exception {
        Path victim = Files.writeString(temporary.resolve("victim"), "precious");
        Files.createSymbolicLink(directory.resolve("cpu0"), victim);
        assertTrue(refused("0").getMessage().startsWith("CPU 0 cannot be reserved: "));
        Files.createLink(directory.resolve("cpu1"), victim);
        String message = refused("1").getMessage();
        assertTrue(message.contains("no plain file of one name"), message);
        assertEquals("precious", Files.readString(victim));
    }

    @Test
    void linkIsNoDirectory() throws Exception {
        Path link = Files.createSymbolicLink(temporary.resolve("link"), directory);
        CpuReservationException refused = assertThrows(CpuReservationException.class, () -> CpuReservations.in(link));
        assertTrue(refused.getMessage().contains("NotDirectoryException"), refused::getMessage);
        Path file = Files.createFile(temporary.resolve("file"));
        assertThrows(CpuReservationException.class, () -> CpuReservations.in(file));
    }

    @Test
    void directoryOfAnotherUserMustBeSticky() throws Exception {
        Path theirs = Files.createDirectory(temporary.resolve("theirs"));
        try {
            Files.setAttribute(theirs, "unix:uid", 65_534);
        } catch (IOException notRoot) {
            assumeTrue(false, "only root gives a directory away: " + notRoot);
        }
        Files.setAttribute(theirs, "unix:mode", 0777);
        CpuReservationException refused = assertThrows(CpuReservationException.class, () -> CpuReservations.in(theirs));
        assertTrue(refused.getMessage().contains("belongs to user 65534"), refused::getMessage);
        Files.setAttribute(theirs, "unix:mode", 01777);
        CpuReservations.in(theirs).reserve(cpus("0"), "mine").close();
    }

    @Test
    void secondDirectoryIsUsedIfTheFirstIsUnavailable() throws Exception {
        Path missing = temporary.resolve("missing/locks");
        Path instead = temporary.resolve("instead");
        CpuReservations second = CpuReservations.inOneOf(missing, instead);
        assertEquals(instead.toRealPath(), second.directory());
        CpuReservationException neither =
                assertThrows(CpuReservationException.class, () -> CpuReservations.inOneOf(missing, missing));
        assertEquals(2, neither.getMessage().split("NoSuchFileException", -1).length - 1);
    }

    @Test
    void garbageInAFileNamesNoProcess() throws Exception {
        Files.writeString(directory.resolve("cpu0"), "\u001b[31m12 what\u0007ever\nmore");
        assertEquals(cpus("0"), free(reservations, cpus("0")));
        assertEquals(new Holder(12, "what?ever"), Holder.parse("12 what\u0007ever\nmore"));
        assertEquals(new Holder(0, "?[31m12"), Holder.parse("\u001b[31m12"));
        assertEquals(new Holder(0, "99999999999999999999 x"), Holder.parse("99999999999999999999 x"));
        assertEquals(new Holder(0, ""), Holder.parse(""));
        assertEquals("a process", Holder.parse("").toString());
        assertTrue(Holder.parse("1 " + "x".repeat(10_000)).name().length() <= Holder.NAME_LENGTH_MAX);
        assertEquals(new Holder(7, "a b"), Holder.parse(new Holder(7, "a b").line()));
    }

    @Test
    void nothingIsMadeForCpusThatAreOnlyLookedAt() throws Exception {
        assertEquals(cpus("0-9"), free(reservations, cpus("0-9")));
        assertFalse(Files.exists(directory.resolve("cpu0")));
    }

    @Test
    void nothingToReserveIsAMistake() {
        assertThrows(IllegalArgumentException.class, () -> reservations.reserve(CpuList.of(), "x"));
    }
}

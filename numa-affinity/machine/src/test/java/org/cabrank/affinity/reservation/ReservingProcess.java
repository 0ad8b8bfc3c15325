package org.cabrank.affinity.reservation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.cabrank.affinity.CpuList;

/** Another process that reserves CPUs: a JVM that says what came of it, and waits until it is ended. */
final class ReservingProcess implements AutoCloseable {
    private final Process process;
    private final BufferedReader out;

    private ReservingProcess(Process process) {
        this.process = process;
        this.out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    static ReservingProcess start(Path directory, String cpus, String name) throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        String classPath = root(CpuReservations.class) + ":" + root(ReservingProcess.class);
        return new ReservingProcess(new ProcessBuilder(List.of(
                        java.toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        classPath,
                        ReservingProcess.class.getName(),
                        directory.toString(),
                        cpus,
                        name))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** The directory that the class is in, packages aside. */
    private static Path root(Class<?> type) {
        try {
            Path path =
                    Path.of(type.getResource(type.getSimpleName() + ".class").toURI());
            for (String part : type.getName().split("\\.")) {
                path = path.getParent();
            }
            return path;
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    /** Reads the process's report on its attempt. */
    String outcome() throws IOException {
        return out.readLine();
    }

    long pid() {
        return process.pid();
    }

    /** In the middle of whatever it does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Makes the process give its CPUs back, and waits for that. The process continues to run. */
    void giveBack() throws IOException {
        process.getOutputStream().write('\n');
        process.getOutputStream().flush();
        out.readLine();
    }

    @Override
    public void close() {
        kill();
    }

    public static void main(String[] arguments) throws IOException {
        try (CpuReservation reservation =
                CpuReservations.in(Path.of(arguments[0])).reserve(CpuList.parse(arguments[1]), arguments[2])) {
            System.out.println("reserved " + reservation.cpus());
            System.in.read();
        } catch (CpuReservationException refused) {
            System.out.println(refused.getMessage());
        }
        System.out.println("given back");
        System.in.read();
    }
}

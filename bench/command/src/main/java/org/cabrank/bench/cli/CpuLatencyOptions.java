package org.cabrank.bench.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.cabrank.bench.serve.CpuLatencyRequest;
import org.cabrank.bench.text.Durations;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Limit on the sleep states of CPUs while a server runs. */
final class CpuLatencyOptions {
    private static final String FLAG = "--cpu-dma-latency";
    private static final long NS_PER_US = 1_000;

    /** Microseconds, written as a duration such as {@code 10us}. */
    static final class Microseconds implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            Duration duration;
            try {
                duration = Durations.parse(text);
            } catch (IllegalArgumentException wrong) {
                throw new TypeConversionException(wrong.getMessage());
            }
            long ns = duration.toNanos();
            if (ns % NS_PER_US != 0 || ns / NS_PER_US > CpuLatencyRequest.US_MAX) {
                throw new TypeConversionException(
                        "must be 0, or whole microseconds from 1us to 2000s, but is " + Durations.format(ns));
            }
            return (int) (ns / NS_PER_US);
        }
    }

    @Option(
            names = FLAG,
            paramLabel = "DURATION",
            converter = Microseconds.class,
            description = "Keeps all CPUs of the machine out of idle states that take longer to leave, in whole"
                    + " microseconds to 2000s, until the server ends; 0 for no such state at all. Writes to"
                    + " /dev/cpu_dma_latency, and costs power (default: as the machine is set up).")
    private Integer us;

    /**
     * Asks the kernel for the latency; the request lasts until it is closed. Null without the option.
     *
     * @throws Failure when the kernel does not take the request
     */
    CpuLatencyRequest hold() {
        return hold(CpuLatencyRequest.DEVICE);
    }

    /** Holds a request at {@code device}. */
    CpuLatencyRequest hold(Path device) {
        if (us == null) {
            return null;
        }
        try {
            return CpuLatencyRequest.hold(device, us);
        } catch (IOException refused) {
            throw failure(device, refused);
        }
    }

    /** The error message for a device that refuses the request. */
    static Failure failure(Path device, IOException cause) {
        return new Failure(
                FLAG + ": the latency of CPUs cannot be limited: " + cause(device, cause) + "; "
                        + remedy(device, cause),
                cause);
    }

    private static String cause(Path device, IOException cause) {
        if (cause instanceof NoSuchFileException) {
            return "there is no " + device;
        }
        if (cause instanceof AccessDeniedException) {
            return device + " may be written by root alone (EACCES)";
        }
        return cause instanceof FileSystemException refused && refused.getReason() != null
                ? device + ": " + refused.getReason()
                : device + ": " + cause.getMessage();
    }

    private static String remedy(Path device, IOException cause) {
        if (cause instanceof NoSuchFileException) {
            return "in a container pass the device on (docker run --device " + device
                    + "), else leave the option out: the" + " kernel is built without CONFIG_CPU_IDLE";
        }
        if (cause instanceof AccessDeniedException) {
            return "run as root, or let this user write the device by a udev rule (KERNEL==\"cpu_dma_latency\", GROUP=\"NAME\","
                    + " MODE=\"0660\")";
        }
        return "in a container the host must allow the device (docker run --device " + device
                + "), or leave the option out";
    }
}

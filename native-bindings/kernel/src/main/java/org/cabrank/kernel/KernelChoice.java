package org.cabrank.kernel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/** The chosen kernel binding, and a line for the log with the reason for each rejected binding. */
record KernelChoice(Kernel kernel, String explanation) {
    private static final String JNA = "jna";

    /** Providers that the service loader has loaded. For each provider that it could not load, the reason. */
    record Found(List<KernelProvider> providers, List<String> broken) {}

    /** Tries the providers by rank, or only the provider {@code forced} if it is not null. If all fail, the message has all reasons. */
    static KernelChoice choose(String osName, String osArch, String forced, Found found)
            throws KernelUnavailableException {
        checkPlatform(osName, osArch);
        List<String> reasons = new ArrayList<>(found.broken());
        for (KernelProvider provider : candidates(forced, found)) {
            try {
                Kernel kernel = provider.open();
                return new KernelChoice(kernel, explanation(provider, forced, reasons));
            } catch (KernelUnavailableException e) {
                reasons.add(provider.name() + ": " + oneLine(e.getMessage()));
            } catch (LinkageError | RuntimeException e) {
                // A library that the provider calls may be missing or have the wrong version.
                reasons.add(provider.name() + ": " + oneLine(e.toString()));
            }
        }
        throw new KernelUnavailableException(refusal(forced, reasons) + advice(found));
    }

    private static void checkPlatform(String osName, String osArch) throws KernelUnavailableException {
        if (!"Linux".equals(osName)) {
            throw new KernelUnavailableException("Cabrank calls the Linux kernel; this system is " + osName);
        }
        try {
            Abi.of(osArch);
        } catch (UnsupportedOperationException e) {
            throw new KernelUnavailableException(e.getMessage(), e);
        }
    }

    private static List<KernelProvider> candidates(String forced, Found found) throws KernelUnavailableException {
        List<KernelProvider> byRank = new ArrayList<>(found.providers());
        byRank.sort(Comparator.comparingInt(KernelProvider::rank).thenComparing(KernelProvider::name));
        if (forced == null) {
            return byRank;
        }
        List<KernelProvider> named = byRank.stream()
                .filter(provider -> provider.name().equals(forced))
                .toList();
        if (named.isEmpty()) {
            String there = byRank.stream().map(KernelProvider::name).collect(Collectors.joining(", "));
            throw new KernelUnavailableException("-D" + Kernels.FORCE_PROPERTY + "=" + forced
                    + ": no such way of calling the kernel here; there is "
                    + (there.isEmpty() ? "none" : there)
                    + because(found.broken())
                    + (forced.equals(JNA) ? advice(found) : ""));
        }
        return named;
    }

    private static String explanation(KernelProvider provider, String forced, List<String> reasons) {
        String taken = "calling the kernel through " + provider.name();
        return forced == null
                ? taken + because(reasons)
                : taken + ", as -D" + Kernels.FORCE_PROPERTY + "=" + forced + " asks";
    }

    private static String refusal(String forced, List<String> reasons) {
        String wanted = forced == null
                ? "no way of calling the kernel works here"
                : "-D" + Kernels.FORCE_PROPERTY + "=" + forced + ": does not work here";
        return reasons.isEmpty()
                ? wanted + ": there is no provider on the class path or module path"
                        + " (cabrank-kernel-panama for a JDK of 22 or later, cabrank-kernel-jna for any)"
                : wanted + because(reasons);
    }

    /** Advises a newer JDK or JNA. Returns "" if the JNA provider was found, because it runs on every JVM. */
    private static String advice(Found found) {
        boolean hasJna =
                found.providers().stream().anyMatch(provider -> provider.name().equals(JNA));
        return hasJna || found.broken().isEmpty()
                ? ""
                : "; use a JDK of 22 or later, or add cabrank-kernel-jna to the class path or module path";
    }

    // The JVM and JNA report a missing library in several lines.
    private static String oneLine(String message) {
        return message.strip().replaceAll("\\s*\\R\\s*", " ");
    }

    private static String because(List<String> reasons) {
        return reasons.isEmpty() ? "" : " (" + String.join("; ", reasons) + ")";
    }
}

package org.cabrank.kernel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Choice of a kernel binding, with reasons. It depends only on the providers found, the platform and the user's setting.
 *
 * @param kernel the binding that works
 * @param explanation one line for the log: the chosen binding, and the reason for each rejection of a binding
 */
record KernelChoice(Kernel kernel, String explanation) {
    private static final String JNA = "jna";

    /** Result of the service loader: providers in any order, and a reason for each provider whose class could not be loaded. */
    record Found(List<KernelProvider> providers, List<String> broken) {}

    /**
     * Tries the providers by rank; if {@code forced} names a provider, tries only this provider.
     *
     * @throws KernelUnavailableException if no provider works, with the reason for each
     */
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
                // The provider's library may be missing, or its version may differ from that of the compilation.
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

    /** The remedy if providers are too new for this JVM; empty if the JNA provider, which runs on every JVM, was found. */
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

package org.cabrank.kernel;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The loader: finds the way in which this process calls the kernel.
 *
 * <p>The loader tries each {@link KernelProvider} that {@link ServiceLoader} finds, by rank, and takes the first that works. With {@code
 * -Dcabrank.kernel=NAME} it tries only the provider {@code NAME}.
 */
public final class Kernels {
    public static final String FORCE_PROPERTY = "cabrank.kernel";

    /** Bound on the failures of the service loader, which would be endless with a broken class path. */
    private static final int BROKEN_PROVIDERS_MAX = 16;

    /** The JVM's message for a class file that is too new. */
    private static final Pattern TOO_NEW =
            Pattern.compile("^(?:\\S*/)?(?<name>\\S+) .*?class file version (?<major>\\d+)", Pattern.DOTALL);

    /** Difference between a class file version and its Java feature release. */
    private static final int JAVA_0 = 44;

    private static final Object LOCK = new Object();

    // Guarded by LOCK.
    private static Kernel system;

    private Kernels() {}

    /**
     * The kernel of this process, chosen by the first call. One log line (DEBUG) names the provider, and the reasons for which providers of
     * a better rank were rejected. Any thread.
     *
     * @throws KernelUnavailableException if no provider works here, with the reason for each; a later call tries again
     */
    public static Kernel system() throws KernelUnavailableException {
        synchronized (LOCK) {
            if (system == null) {
                KernelChoice choice = choose(System.getProperty(FORCE_PROPERTY));
                System.getLogger(Kernels.class.getName()).log(Level.DEBUG, choice.explanation());
                system = choice.kernel();
            }
            return system;
        }
    }

    /**
     * A kernel of the named provider, independent of the choice of {@link #system}; for comparisons. Any thread.
     *
     * @throws KernelUnavailableException if the provider does not exist or does not work here, with the reason
     */
    public static Kernel named(String name) throws KernelUnavailableException {
        return choose(Objects.requireNonNull(name, "name")).kernel();
    }

    private static KernelChoice choose(String forced) throws KernelUnavailableException {
        return KernelChoice.choose(
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                forced,
                discover(ServiceLoader.load(KernelProvider.class, Kernels.class.getClassLoader())
                        .iterator()));
    }

    /**
     * Collects the providers of a service loader. A provider that cannot be loaded becomes a reason in the result, so that the others are
     * still tried: a JDK 17 may have the panama module on its class path, whose classes are too new, and can use JNA.
     */
    static KernelChoice.Found discover(Iterator<KernelProvider> loaded) {
        List<KernelProvider> providers = new ArrayList<>();
        List<String> broken = new ArrayList<>();
        while (broken.size() < BROKEN_PROVIDERS_MAX) {
            try {
                if (!loaded.hasNext()) {
                    break;
                }
                providers.add(loaded.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                broken.add(reason(e));
            }
        }
        // On the module path the loader may find a class twice, as provider of a module and as file: drop duplicates.
        return new KernelChoice.Found(providers, broken.stream().distinct().toList());
    }

    private static String reason(Error error) {
        Throwable cause = error.getCause() instanceof LinkageError ? error.getCause() : error;
        if (cause instanceof UnsupportedClassVersionError) {
            Matcher tooNew = TOO_NEW.matcher(String.valueOf(cause.getMessage()));
            if (tooNew.find()) {
                return tooNew.group("name") + " needs a JDK of " + (Integer.parseInt(tooNew.group("major")) - JAVA_0)
                        + " or later, and this JVM is Java " + Runtime.version().feature();
            }
        }
        return cause.toString();
    }
}

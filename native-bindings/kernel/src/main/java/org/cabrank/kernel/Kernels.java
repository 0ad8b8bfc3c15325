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
 * Finds the kernel binding for this process: the {@link KernelProvider} with the lowest rank that works. With {@code -Dcabrank.kernel=NAME}
 * only the provider {@code NAME} is tried. Any thread may call the methods.
 */
public final class Kernels {
    public static final String FORCE_PROPERTY = "cabrank.kernel";

    /** Maximum number of failures of the service loader. A broken class path could make it fail endlessly. */
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
     * Returns the kernel of this process. The first call chooses the kernel, and logs the choice (DEBUG).
     *
     * @throws KernelUnavailableException if no provider works here; the message has a reason for each provider. A later call tries again
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
     * Returns a kernel of the named provider, for comparisons. Does not change the result of {@link #system}.
     *
     * @throws KernelUnavailableException if the provider does not exist or does not work here; the message has the reason
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

    /** Collects the providers, and a reason for each that cannot be loaded. JDK 17, for example, cannot load the panama provider. */
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
        // On the module path the loader may find a provider twice: in module-info and in META-INF/services.
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

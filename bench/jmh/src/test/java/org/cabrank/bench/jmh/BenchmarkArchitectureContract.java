package org.cabrank.bench.jmh;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Rules of imports for benchmarks that are in the packages of the measured code: the rules of these packages apply to them.
 * {@code ArchitectureTest} of the bench has the rules, but does not see this module.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // the classes are read once
abstract class BenchmarkArchitectureContract {
    private static final String OURS = "org.cabrank..";
    private static final String PANAMA = "org.cabrank.kernel.panama..";
    private static final String JNA = "org.cabrank.kernel.jna..";

    private final JavaClasses classes;

    /** @param any of the module, whose classes stand beside it */
    BenchmarkArchitectureContract(Class<?> any) {
        // The rules ask for names: what is imported need not be read.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        classes = new ClassFileImporter()
                .importUrl(any.getProtectionDomain().getCodeSource().getLocation());
        assertTrue(classes.contain(any), () -> "the classes beside " + any);
    }

    @Test
    void thatOfThePatternImportsNothingOfOurs() {
        mayImport("org.cabrank.lf..", "org.cabrank.lf..");
    }

    @Test
    void thatOfTheRingImportsTheKernelAndThePatternOnly() {
        mayImport(
                "org.cabrank.iouring..",
                "org.cabrank.[kernel|kernel.layout]",
                "org.cabrank.lf..",
                "org.cabrank.iouring..");
    }

    @Test
    void thatOfABindingImportsTheKernelOnly() {
        mayImport(PANAMA, "org.cabrank.[kernel|kernel.layout]", PANAMA);
    }

    @Test
    void onlyThatOfPanamaMentionsTheFfmApi() {
        check(noClasses()
                .that(not(resideInAPackage(PANAMA)).as("are outside of panama"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.foreign.."));
    }

    @Test
    void noneMentionsJna() {
        check(noClasses().should().dependOnClassesThat().resideInAPackage("com.sun.jna.."));
    }

    @Test
    void noModuleNamesABinding() {
        check(noClasses()
                .that(not(resideInAnyPackage(PANAMA, JNA)).as("are not bindings"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(PANAMA, JNA));
    }

    private void mayImport(String from, String... allowed) {
        check(classes()
                .that()
                .resideInAPackage(from)
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage(OURS))
                        .or(resideInAnyPackage(allowed))
                        .as("are of " + String.join(", ", allowed) + " or not ours")));
    }

    /** Each module has benchmarks in some of the packages. */
    private void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(classes);
    }
}

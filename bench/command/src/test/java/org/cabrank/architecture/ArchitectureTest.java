package org.cabrank.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.constructors;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.cabrank.bench.fixture.Once;
import org.cabrank.kernel.MemoryCalls;
import org.cabrank.kernel.NativeArgument;
import org.cabrank.kernel.SocketCalls;
import org.cabrank.socket.calls.SocketOps;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Directions of imports, and rules for code that need types. Where the module descriptors say the same about imports they are the first
 * guard; these rules also hold for what a descriptor cannot say, and for the class path that the command runs on.
 */
@Once
class ArchitectureTest {

    private static final String OURS = "org.cabrank..";
    private static final String PANAMA = "org.cabrank.kernel.panama..";
    private static final String STREAM = "org.cabrank.stream..";
    private static final String SOCKET = "org.cabrank.socket..";
    private static final String TEST_KIT = "org.cabrank.stream.testkit..";
    private static final String FRAMING = "org.cabrank.framing..";
    private static final String TLS = "org.cabrank.tls..";
    private static final String HTTP = "org.cabrank.http..";
    private static final String HTTP_SERVER = "org.cabrank.httpserver..";
    private static final String PROXY = "org.cabrank.proxy..";
    private static final String MICROMETER = "org.cabrank.micrometer..";
    private static final String NETTY = "org.cabrank.netty..";
    private static final String HANDOVER = "org.cabrank.handover..";
    private static final String SYSTEMD = "org.cabrank.systemd..";
    private static final String JNA = "org.cabrank.kernel.jna..";

    private static final String EPOLL = "org.cabrank.epoll..";
    private static final String IO_URING = "org.cabrank.iouring..";
    private static final String PATTERN = "org.cabrank.lf..";
    private static final String AFFINITY = "org.cabrank.affinity..";
    private static final String PINNING = "org.cabrank.pinning..";
    private static final String KERNEL = "org.cabrank.[kernel|kernel.layout]";
    private static final List<String> ROOMS = List.of(
            KERNEL,
            PANAMA,
            JNA,
            PATTERN,
            STREAM,
            TEST_KIT,
            FRAMING,
            TLS,
            HTTP,
            HTTP_SERVER,
            PROXY,
            MICROMETER,
            NETTY,
            HANDOVER,
            SYSTEMD,
            SOCKET,
            EPOLL,
            IO_URING,
            AFFINITY,
            PINNING,
            "org.cabrank.bench..");

    private static final String[] BENCH_LOAD = benchPackages("load..", "log", "text");
    private static final String[] BENCH_LAB =
            benchPackages("contender", "handler", "http", "measure", "report..", "run", "scenario");
    private static final String[] BENCH_RIVALS = benchPackages("rival", "rival.since21");
    private static final String[] BENCH_COMMAND =
            benchPackages("attach", "cli", "datagram", "live", "serve", "topology");

    /** mmap takes six, and a few calls name their buffers by address and length. */
    private static final int ARGUMENTS_MAX = 7;

    private static JavaClasses classes;

    @BeforeAll
    static void readTheClasses() {
        classes = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .withImportOption(location -> !location.contains("/test-classes/")) // of any build directory
                .withImportOption(location -> !location.contains("-tests.jar"))
                .importPackages("org.cabrank");
    }

    /** Panama is built for JDK 22, and absent from a build for JNA alone. */
    private static boolean isBuilt(String room) {
        return !room.equals(PANAMA) || Runtime.version().feature() >= 22 && System.getProperty("jnaOnly") == null;
    }

    @Test
    void everyModuleIsThere() {
        for (String room : ROOMS) {
            assertTrue(!isBuilt(room) || classes.stream().anyMatch(resideInAPackage(room)), room);
        }
    }

    /** A new module stands in the list of rooms, and needs a rule of its own. */
    @Test
    void everyClassIsOfAModuleThatIsNamedHere() {
        check(classes().should().resideInAnyPackage(ROOMS.toArray(String[]::new)));
    }

    @Test
    void thePatternImportsNothingOfOurs() {
        mayImport(PATTERN, PATTERN);
    }

    @Test
    void thePatternOpensNoFile() {
        check(noClasses()
                .that()
                .resideInAPackage(PATTERN)
                .should()
                .dependOnClassesThat()
                .haveNameMatching("java\\.nio\\.(file|channels)\\..*|java\\.io\\.(File|RandomAccess).*"));
    }

    @Test
    void theKernelImportsNothingOfOurs() {
        mayImport(KERNEL, KERNEL);
    }

    @Test
    void bindingsImportTheKernelOnly() {
        if (isBuilt(PANAMA)) {
            mayImport(PANAMA, KERNEL, PANAMA);
        }
        mayImport(JNA, KERNEL, JNA);
    }

    @Test
    void streamsImportThePatternOnly() {
        mayImport(STREAM, PATTERN, STREAM);
    }

    @Test
    void protocolsImportThePatternAndStreamsOnly() {
        mayImport(FRAMING, PATTERN, STREAM, FRAMING);
        mayImport(TLS, PATTERN, STREAM, TLS);
        mayImport(HTTP, PATTERN, STREAM, HTTP);
        mayImport(PROXY, PATTERN, STREAM, PROXY);
    }

    @Test
    void theHttpServerOfTheJdkImportsTheKernelThePatternStreamsSocketsTlsAndHttpOnly() {
        mayImport(HTTP_SERVER, KERNEL, PATTERN, STREAM, SOCKET, TLS, HTTP, HTTP_SERVER);
    }

    @Test
    void metersImportThePatternStreamsTlsAndIoUringOnly() {
        mayImport(MICROMETER, PATTERN, STREAM, TLS, IO_URING, MICROMETER);
    }

    @Test
    void theNettyTransportImportsTheKernelThePatternStreamsAndSocketsOnly() {
        mayImport(NETTY, KERNEL, PATTERN, STREAM, SOCKET, NETTY);
    }

    @Test
    void handoverImportsTheKernelThePatternStreamsAndSocketsOnly() {
        mayImport(HANDOVER, KERNEL, PATTERN, STREAM, SOCKET, HANDOVER);
    }

    @Test
    void systemdImportsTheKernelThePatternAndStreamsOnly() {
        mayImport(SYSTEMD, KERNEL, PATTERN, STREAM, SYSTEMD);
    }

    /** The test kit is for tests. Its package is below those of streams, so that the rule of streams allows the import. */
    @Test
    void theTestKitImportsThePatternAndStreamsAndNobodyImportsIt() {
        mayImport(TEST_KIT, PATTERN, STREAM);
        check(noClasses()
                .that(not(resideInAPackage(TEST_KIT)).as("are outside of the test kit"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage(TEST_KIT));
    }

    @Test
    void socketsImportTheKernelThePatternAndStreamsOnly() {
        mayImport(SOCKET, KERNEL, PATTERN, STREAM, SOCKET);
    }

    @Test
    void reactorsImportTheKernelThePatternStreamsAndSocketsOnly() {
        mayImport(EPOLL, KERNEL, PATTERN, STREAM, SOCKET, EPOLL);
        mayImport(IO_URING, KERNEL, PATTERN, STREAM, SOCKET, IO_URING);
    }

    @Test
    void affinityImportsTheKernelOnly() {
        mayImport(AFFINITY, KERNEL, AFFINITY);
    }

    @Test
    void pinningImportsTheKernelThePatternStreamsAndAffinityOnly() {
        mayImport(PINNING, KERNEL, PATTERN, STREAM, AFFINITY, PINNING);
    }

    @Test
    void onlyPanamaMentionsTheFfmApi() {
        check(noClasses()
                .that(not(resideInAPackage(PANAMA)).as("are outside of panama"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("java.lang.foreign.."));
    }

    @Test
    void onlyJnaMentionsJna() {
        check(noClasses()
                .that(not(resideInAPackage(JNA)).as("are outside of jna"))
                .should()
                .dependOnClassesThat()
                .resideInAPackage("com.sun.jna.."));
    }

    /** Other queues of JCTools use sun.misc.Unsafe, of which a JDK of 24 or later warns. */
    @Test
    void onlyQueuesWithoutUnsafeAreUsed() {
        check(noClasses()
                .that()
                .resideInAPackage(OURS)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "org.jctools.queues",
                        "org.jctools.queues.unpadded",
                        "org.jctools.maps",
                        "org.jctools.counters",
                        "org.jctools.util"));
    }

    /** A binding is found by the service loader and used through the interfaces. */
    @Test
    void noModuleNamesABinding() {
        check(noClasses()
                .that(not(resideInAnyPackage(PANAMA, JNA)).as("are not bindings"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(PANAMA, JNA));
    }

    @Test
    void packagesOfDifferentModulesFormNoCycle() {
        check(slices().matching("org.cabrank.(*)..").should().beFreeOfCycles());
    }

    /** The first name is a package, the following names are the packages of its module that the package may import. */
    @ParameterizedTest
    @CsvSource({
        "lf, lf.counting lf.dispatch lf.failure lf.figures lf.handle lf.jfr lf.leadership lf.observe lf.settings",
        "lf.handle, lf.counting lf.dispatch lf.failure lf.leadership",
        "lf.bound, lf lf.failure lf.handle lf.leadership lf.observe",
        "lf.dispatch, lf.counting lf.failure lf.jfr lf.leadership",
        "lf.counting, lf.observe",
        "lf.figures, lf.failure lf.observe",
        "lf.observe, lf.leadership",
        "lf.leadership, lf.failure",
        "lf.failure, ''",
        "lf.jfr, ''",
        "lf.settings, ''",
        "kernel.layout, ''",
        "stream, stream.figures stream.transport",
        "iouring, iouring.ring iouring.config",
        "iouring.ring, iouring.config",
        "iouring.config, ''",
        "socket, socket.calls",
        "socket.calls, ''",
        "socket.source, socket socket.calls",
        "socket.transport, socket socket.calls socket.source",
        "affinity, ''",
        "affinity.files, affinity",
        "affinity.topology, affinity affinity.files",
        "affinity.limits, affinity affinity.files affinity.topology",
        "affinity.placement, affinity affinity.limits affinity.topology",
        "affinity.reservation, affinity affinity.topology",
        "pinning, ''",
        "pinning.doctor, pinning",
        "http.message, ''",
        "http.wire, http.message",
        "http.client, http.message http.wire",
        "http, http.client http.message http.wire",
    })
    void packagesOfAModulePointDown(String from, String allowed) {
        String module = "org.cabrank." + from.replaceAll("\\..*", "");
        List<String> names = new ArrayList<>(List.of("org.cabrank." + from));
        for (String name : allowed.split(" ")) {
            names.add("org.cabrank." + name);
        }
        check(classes()
                .that()
                .resideInAPackage("org.cabrank." + from)
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage(module + ".."))
                        .or(resideInAnyPackage(names.toArray(String[]::new)))
                        .as("are of " + allowed + " or of another module")));
    }

    /**
     * {@link Duration#toNanos} and {@link Duration#toMillis} throw for a time that does not fit. The bench has durations from its own
     * parser only, which refuses those.
     */
    @Test
    void durationsBecomeNanosecondsAtOnePlace() {
        check(noClasses()
                .that(not(resideInAPackage("org.cabrank.bench..")).as("are not of the bench"))
                .and()
                .doNotHaveFullyQualifiedName("org.cabrank.lf.leadership.Deadlines")
                .should()
                .callMethod(Duration.class, "toNanos")
                .orShould()
                .callMethod(Duration.class, "toMillis"));
    }

    /** Arguments of one type are mixed up the easier, the more there are. */
    @Test
    void methodsTakeSevenArgumentsAtMost() {
        assertEquals(
                List.of(),
                ownMethods()
                        .filter(method -> method.getRawParameterTypes().size() > ARGUMENTS_MAX)
                        .map(JavaMethod::getFullName)
                        .toList());
    }

    @Test
    void classesWithStaticMembersOnlyHaveNoInstances() {
        assertEquals(
                List.of(),
                classes.stream()
                        .filter(type -> !isGenerated(type) && !type.isInterface())
                        .filter(type -> type.getRawSuperclass()
                                .filter(above -> above.isEquivalentTo(Object.class))
                                .isPresent())
                        .filter(type -> type.getInterfaces().isEmpty())
                        .filter(type -> !type.getMethods().isEmpty())
                        .filter(type -> Stream.concat(type.getMethods().stream(), type.getFields().stream())
                                .allMatch(member -> member.getModifiers().contains(JavaModifier.STATIC)))
                        .filter(type -> type.getConstructors().stream()
                                .anyMatch(one -> !one.getModifiers().contains(JavaModifier.PRIVATE)))
                        .map(JavaClass::getName)
                        .toList());
    }

    @Test
    void exceptionsDoNotChange() {
        assertEquals(
                List.of(),
                classes.stream()
                        .filter(type -> type.isAssignableTo(Throwable.class))
                        .flatMap(type -> type.getFields().stream())
                        .filter(field -> !field.getModifiers().contains(JavaModifier.FINAL))
                        .map(JavaField::getFullName)
                        .toList());
    }

    private static Stream<JavaMethod> ownMethods() {
        return classes.stream()
                .filter(type -> !isGenerated(type))
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> !method.getModifiers().contains(JavaModifier.SYNTHETIC));
    }

    /** Returns true for what jextract wrote. */
    private static boolean isGenerated(JavaClass type) {
        return type.getPackageName().contains(".generated");
    }

    /** A reader who meets a name shall not have to look which class of that name is meant. */
    @Test
    void noSimpleNameExistsTwice() {
        Map<String, String> packages = new HashMap<>();
        List<String> twice = new ArrayList<>();
        for (JavaClass one : classes) {
            if (one.isTopLevelClass() && !one.getSimpleName().endsWith("-info")) {
                String before = packages.put(one.getSimpleName(), one.getPackageName());
                if (before != null) {
                    twice.add(one.getSimpleName() + " in " + before + " and " + one.getPackageName());
                }
            }
        }
        assertEquals(List.of(), twice);
    }

    @Test
    void theLoadGeneratorImportsTheKernelAndThePatternOnly() {
        String[] allowed = Arrays.copyOf(BENCH_LOAD, BENCH_LOAD.length + 2);
        allowed[BENCH_LOAD.length] = KERNEL;
        allowed[BENCH_LOAD.length + 1] = PATTERN;
        for (String from : BENCH_LOAD) {
            mayImport(from, allowed);
        }
    }

    @Test
    void theLabDoesNotImportTheCommand() {
        for (String from : BENCH_LAB) {
            check(noClasses()
                    .that()
                    .resideInAPackage(from)
                    .should()
                    .dependOnClassesThat(resideInAnyPackage(BENCH_COMMAND)
                            .or(resideInAnyPackage(BENCH_RIVALS))
                            .or(resideInAPackage("org.cabrank.bench"))
                            .as("are of the command or of the frameworks")));
        }
    }

    /** The service loader finds the contenders that are frameworks. */
    @Test
    void nobodyImportsTheFrameworksThatTheBenchCompares() {
        check(noClasses()
                .that(not(resideInAnyPackage(BENCH_RIVALS)).as("are outside of bench/rivals"))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(BENCH_RIVALS));
        check(noClasses()
                .that()
                .resideInAnyPackage(BENCH_RIVALS) // one of them is absent from a build for JNA alone
                .should()
                .dependOnClassesThat(resideInAnyPackage(BENCH_COMMAND)
                        .or(resideInAPackage("org.cabrank.bench"))
                        .as("are of the command")));
    }

    /** A new package of the bench stands in the list of its module. */
    @Test
    void everyPackageOfTheBenchIsNamedHere() {
        List<String> all = new ArrayList<>(List.of("org.cabrank.bench"));
        Stream.of(BENCH_LOAD, BENCH_LAB, BENCH_RIVALS, BENCH_COMMAND)
                .map(Arrays::asList)
                .forEach(all::addAll);
        check(classes()
                .that()
                .resideInAPackage("org.cabrank.bench..")
                .should()
                .resideInAnyPackage(all.toArray(String[]::new)));
    }

    @Test
    void packagesOfTheBenchFormNoCycle() {
        check(slices().matching("org.cabrank.bench.(*)..").should().beFreeOfCycles());
    }

    /**
     * The number of a closed descriptor may be that of a stranger's connection. A class of datagram sockets makes its calls under the
     * guard, or is named here with the reason why it need not.
     */
    @Test
    void descriptorsOfDatagramSocketsAreUsedUnderTheirGuard() {
        Set<String> named = Set.of(
                "BoundSocketChannel", // of one thread, which also closes
                "DatagramBacklog", // called by DatagramSender under the guard
                "DatagramOpening",
                "DatagramSteering", // while sockets are opened
                "DescriptorSet", // the sets' own
                "ErrorQueue",
                "ReceiveMemory", // claim holder
                "ThreadPolicy"); // no descriptor
        check(classes()
                .that()
                .resideInAPackage("org.cabrank.socket")
                .should(
                        new ArchCondition<>(
                                "call the kernel for a descriptor under DescriptorGuard.begin, or be named here") {
                            @Override
                            public void check(JavaClass item, ConditionEvents events) {
                                boolean guarded = item.getMethodCallsFromSelf().stream()
                                        .anyMatch(call -> call.getTargetOwner()
                                                        .getSimpleName()
                                                        .equals("DescriptorGuard")
                                                && call.getName().equals("begin"));
                                if (!guarded && !named.contains(item.getSimpleName())) {
                                    item.getMethodCallsFromSelf().stream()
                                            .filter(call -> !call.getName().equals("addressOf"))
                                            .filter(call -> call.getTargetOwner()
                                                            .isAssignableTo(SocketCalls.class)
                                                    || call.getTargetOwner().isAssignableTo(SocketOps.class))
                                            .forEach(call -> events.add(
                                                    SimpleConditionEvent.violated(item, call.getDescription())));
                                }
                            }
                        }));
    }

    /** A number does not keep the memory that it is the address of: see {@link NativeArgument}. */
    @Test
    void memoryStaysReachableWhileTheKernelHasItsAddress() {
        check(methods()
                .that(areNot("addressOf"))
                .should(
                        new ArchCondition<>("keep each buffer whose address they take reachable: NativeArgument.pass,"
                                + " a constructor that keeps the buffer in a field, or Reference.reachabilityFence") {
                            @Override
                            public void check(JavaMethod method, ConditionEvents events) {
                                long taken = addressesTaken(method);
                                long fences = method.getMethodCallsFromSelf().stream()
                                        .filter(call -> call.getName().equals("reachabilityFence"))
                                        .count();
                                if (taken > fences) {
                                    events.add(SimpleConditionEvent.violated(
                                            method,
                                            method.getFullName() + " takes " + taken + " addresses with " + fences
                                                    + " fences"));
                                }
                            }
                        }));
        check(constructors().should(new ArchCondition<>("keep the buffers whose addresses they take in fields") {
            @Override
            public void check(JavaConstructor constructor, ConditionEvents events) {
                long buffers = constructor.getOwner().getAllFields().stream()
                        .filter(ArchitectureTest::keepsMemory)
                        .count();
                long taken = addressesTaken(constructor);
                if (taken > buffers) {
                    events.add(SimpleConditionEvent.violated(
                            constructor,
                            constructor.getFullName() + " takes " + taken + " addresses, and its class has " + buffers
                                    + " fields of buffers"));
                }
            }
        }));
    }

    private static long addressesTaken(JavaCodeUnit unit) {
        return unit.getMethodCallsFromSelf().stream()
                .filter(call -> call.getName().equals("addressOf")
                        && call.getTargetOwner().isAssignableTo(MemoryCalls.class))
                .count();
    }

    /** The queue of a pipe and the operation of a file have a buffer. */
    private static boolean keepsMemory(JavaField field) {
        return field.getRawType().isAssignableTo(ByteBuffer.class)
                || Set.of("RecordQueue", "FileOperation")
                        .contains(field.getRawType().getSimpleName());
    }

    private static DescribedPredicate<JavaMethod> areNot(String name) {
        return DescribedPredicate.describe(
                "are not " + name, method -> !method.getName().equals(name));
    }

    private static String[] benchPackages(String... names) {
        return Stream.of(names).map(name -> "org.cabrank.bench." + name).toArray(String[]::new);
    }

    private static void mayImport(String from, String... allowed) {
        check(classes()
                .that()
                .resideInAPackage(from)
                .should()
                .onlyDependOnClassesThat(not(resideInAPackage(OURS))
                        .or(resideInAnyPackage(allowed))
                        .as("are of " + String.join(", ", allowed) + " or not ours")));
    }

    /** A rule about nothing fails. */
    private static void check(ArchRule rule) {
        rule.check(classes);
    }
}

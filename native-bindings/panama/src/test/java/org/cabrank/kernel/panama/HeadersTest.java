package org.cabrank.kernel.panama;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.cabrank.kernel.Abi;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Holds every number that the kernel module declares for Java 17 against the C headers of both ABIs. */
class HeadersTest {
    private static final Path HEADERS = Path.of(System.getProperty("basedir", "."), "src/main/jextract/layouts.h");

    private static final Pattern ERROR_AT = Pattern.compile("^number:(\\d+):\\d+: error", Pattern.MULTILINE);

    @ParameterizedTest
    @EnumSource
    void everyDeclaredNumberIsTheOneThatJextractFound(Abi abi) throws Exception {
        StringBuilder wrong = new StringBuilder();
        for (DeclaredNumber number : DeclaredNumber.all().stream()
                .filter(DeclaredNumber::isGenerated)
                .toList()) {
            long generated = number.meaning().generated(abi);
            long expected = number.isInt() ? (int) generated : generated;
            if (number.value(abi) != expected) {
                wrong.append(number.name())
                        .append(": Java has ")
                        .append(number.value(abi))
                        .append(", the headers have ")
                        .append(expected)
                        .append('\n');
            }
        }
        assertEquals("", wrong.toString());
    }

    @ParameterizedTest
    @EnumSource
    void everyDeclaredNumberIsTheOneThatTheCompilerFinds(Abi abi) throws Exception {
        List<String> compiler = compiler(abi);
        String includes = Files.readString(HEADERS) + "#include <stddef.h>\n";
        String complaint = compile(compiler, includes);
        assumeTrue(complaint.isEmpty(), () -> "the C library's headers for " + abi + " are missing: " + complaint);

        List<DeclaredNumber> known = known(compiler, includes);
        assertEquals("", compile(compiler, includes + assertions(known, abi, 0)));
    }

    @ParameterizedTest
    @EnumSource
    void compilerRefusesEveryNumberThatIsWrong(Abi abi) throws Exception {
        List<String> compiler = compiler(abi);
        String includes = Files.readString(HEADERS) + "#include <stddef.h>\n";
        assumeTrue(compile(compiler, includes).isEmpty(), "the C library's headers are missing");

        List<DeclaredNumber> known = known(compiler, includes);
        String complaint = compile(compiler, includes + assertions(known, abi, 1));

        for (DeclaredNumber number : known) {
            assertTrue(complaint.contains('"' + number.name() + '"'), number.name());
        }
    }

    @Test
    void allIsFoundThatIsDeclared() throws Exception {
        List<String> names =
                DeclaredNumber.all().stream().map(DeclaredNumber::name).toList();
        assertTrue(
                names.containsAll(List.of(
                        "Errno.EPERM",
                        "Epoll.EPOLLET",
                        "EpollEvent.SIZE_BYTES",
                        "IoUring.IORING_OFF_SQES",
                        "IoUringParams.CQ_OFF_CQES_OFFSET",
                        "MsgHdr.IOV_OFFSET",
                        "Resources.RLIM_INFINITY",
                        "SocketAddresses.UNIX_PATH_OFFSET",
                        "SystemCall.GETPRIORITY")),
                names.toString());
    }

    /** The numbers that the compiler's headers have: all, but of io_uring those that they are too old for. */
    private static List<DeclaredNumber> known(List<String> compiler, String includes) throws Exception {
        List<DeclaredNumber> all = DeclaredNumber.all();
        StringBuilder source = new StringBuilder(includes);
        for (int i = 0; i < all.size(); i++) {
            // The compiler takes each for line i + 1 of a file of that name.
            source.append("# ").append(i + 1).append(" \"number\"\n");
            source.append("enum { is_known_").append(i).append(" = sizeof(");
            source.append(all.get(i).meaning().expression()).append(") };\n");
        }
        Set<Integer> unknown = ERROR_AT.matcher(compile(compiler, source.toString()))
                .results()
                .map(error -> Integer.parseInt(error.group(1)) - 1)
                .collect(Collectors.toSet());
        for (int i : unknown) {
            assertTrue(all.get(i).mayBeTooNew(), all.get(i).name() + " is not in the headers");
        }
        return IntStream.range(0, all.size())
                .filter(i -> !unknown.contains(i))
                .mapToObj(all::get)
                .toList();
    }

    private static String assertions(List<DeclaredNumber> numbers, Abi abi, int error) throws Exception {
        StringBuilder source = new StringBuilder();
        for (DeclaredNumber number : numbers) {
            String expression = number.meaning().expression();
            source.append("_Static_assert((long long) ")
                    .append(number.isInt() ? "(int) " : "")
                    .append('(')
                    .append(expression)
                    .append(") == ")
                    .append(number.value(abi) + error)
                    .append("LL, \"")
                    .append(number.name())
                    .append("\");\n");
        }
        return source.toString();
    }

    private static List<String> compiler(Abi abi) throws InterruptedException {
        List<String> names =
                abi == Abi.X86_64 ? List.of("x86_64-linux-gnu-gcc", "gcc") : List.of("aarch64-linux-gnu-gcc", "gcc");
        for (String name : names) {
            // The plain name is the compiler of this machine.
            if (!name.equals("gcc") || abi == Abi.current()) {
                try {
                    Process process = new ProcessBuilder(name, "--version")
                            .redirectErrorStream(true)
                            .start();
                    process.getInputStream().readAllBytes();
                    if (process.waitFor() == 0) {
                        return List.of(name, "-fsyntax-only", "-x", "c", "-");
                    }
                } catch (IOException absent) {
                    continue;
                }
            }
        }
        return abort("there is no C compiler for " + abi + " here: " + String.join(", ", names));
    }

    /** Returns the compiler's error messages for a source; empty if it compiles. */
    private static String compile(List<String> compiler, String source) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(compiler).redirectErrorStream(true).start();
        try (OutputStream out = process.getOutputStream()) {
            out.write(source.getBytes(StandardCharsets.UTF_8));
        }
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor() == 0 ? "" : said;
    }
}

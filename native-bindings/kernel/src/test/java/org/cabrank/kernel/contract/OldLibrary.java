package org.cabrank.kernel.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;
import org.cabrank.kernel.Abi;

/**
 * A copy of this machine's glibc in which some functions are missing, as in older versions, or fail with ENOSYS, as in musl.
 * A child process takes the copy if LD_LIBRARY_PATH names its directory.
 *
 * <p>A missing function keeps its place in the symbol table under another name, so that no look-up finds it. A failing
 * function makes a system call that no kernel has.
 */
final class OldLibrary {
    static final String FILE_NAME = "libc.so.6";

    /** Functions that glibc has since 2.30 and later; the kernel has those system calls for longer. */
    static final Set<String> MISSING = Set.of("gettid", "epoll_pwait2", "close_range", "memfd_create", "getcpu");

    /** Functions of musl that do nothing but fail. */
    static final Set<String> FAILING =
            Set.of("sched_setscheduler", "sched_getscheduler", "sched_getparam", "sched_setparam");

    private static final int ELF_HEADER_BYTES = 64;
    private static final int SECTION_OFFSET = 40;
    private static final int SECTION_BYTES_OFFSET = 58;
    private static final int SYMBOL_BYTES = 24;
    private static final int TYPE_DYNAMIC_SYMBOLS = 11;
    private static final int TYPE_VERSION_DEFINITIONS = 0x6ffffffd;
    private static final int TYPE_VERSIONS = 0x6fffffff;

    /** Not the number of a system call on either ABI. */
    private static final int NO_SYSTEM_CALL = 0x7ffe;

    /** Named bound: instructions before a system call's number is loaded. */
    private static final int PROLOGUE_BYTES = 16;

    private final ByteBuffer image;
    private final int symbols;
    private final int names;
    private final Set<String> found = new HashSet<>();

    private OldLibrary(byte[] image) {
        this.image = ByteBuffer.wrap(image).order(ByteOrder.LITTLE_ENDIAN);
        this.symbols = section(TYPE_DYNAMIC_SYMBOLS);
        this.names = linkedSection(symbols);
    }

    /** Writes the copy into {@code directory}. Skips the test if this process does not run on glibc. */
    static void writeTo(Path directory) throws IOException {
        OldLibrary library = ofThisProcess();
        library.forEachSymbol(library::changeSymbol);
        Set<String> unknown = new HashSet<>(FAILING);
        unknown.removeAll(library.found);
        if (!unknown.isEmpty()) {
            throw new IllegalStateException("the C library of this machine does not have " + unknown);
        }
        Files.write(directory.resolve(FILE_NAME), library.image.array());
    }

    /**
     * Returns the first version of glibc that has each function, on this machine's architecture. Functions that the library does
     * not have are left out.
     */
    static Map<String, Runtime.Version> firstVersions() throws IOException {
        OldLibrary library = ofThisProcess();
        Map<Integer, Runtime.Version> versions = library.versions();
        int versionOfSymbol = library.fileOffsetOf(library.section(TYPE_VERSIONS));
        Map<String, Runtime.Version> first = new HashMap<>();
        library.forEachSymbol((name, symbol) -> {
            int index = (symbol - library.fileOffsetOf(library.symbols)) / SYMBOL_BYTES;
            int number =
                    library.image.getShort(versionOfSymbol + index * Short.BYTES) & 0x7fff; // above it: not the default
            Runtime.Version version = versions.get(number);
            if (version != null) {
                first.merge(name, version, (one, other) -> one.compareTo(other) < 0 ? one : other);
            }
        });
        return first;
    }

    /** Definitions: number at 4, first name at 12, next definition at 16, all relative; a name: its offset at 0. */
    private Map<Integer, Runtime.Version> versions() {
        int section = section(TYPE_VERSION_DEFINITIONS);
        int texts = fileOffsetOf(linkedSection(section));
        int definition = fileOffsetOf(section);
        Map<Integer, Runtime.Version> versions = new HashMap<>();
        int next = -1;
        while (next != 0) {
            String name = text(texts + image.getInt(definition + image.getInt(definition + 12)));
            if (name.matches("GLIBC_[0-9.]+")) {
                versions.put((int) image.getShort(definition + 4), Runtime.Version.parse(name.substring(6)));
            }
            next = image.getInt(definition + 16);
            definition += next;
        }
        return versions;
    }

    private static OldLibrary ofThisProcess() throws IOException {
        return new OldLibrary(Files.readAllBytes(pathOfThisProcess()));
    }

    private static Path pathOfThisProcess() throws IOException {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps"))) {
            String line = maps.filter(each -> each.endsWith("/" + FILE_NAME))
                    .findAny()
                    .orElse("");
            assumeTrue(line.indexOf('/') >= 0, "this process does not run on glibc");
            return Path.of(line.substring(line.indexOf('/')));
        }
    }

    /** Section headers: type at 4, file offset at 24, size at 32, linked section at 40; 64 bytes each. */
    private int section(int type) {
        int section = (int) image.getLong(SECTION_OFFSET);
        while (image.getInt(section + 4) != type) {
            section += image.getShort(SECTION_BYTES_OFFSET);
        }
        return section;
    }

    private int linkedSection(int section) {
        return (int) image.getLong(SECTION_OFFSET) + image.getInt(section + 40) * image.getShort(SECTION_BYTES_OFFSET);
    }

    private int fileOffsetOf(int section) {
        return (int) image.getLong(section + 24);
    }

    private void forEachSymbol(ObjIntConsumer<String> consumer) {
        int begin = fileOffsetOf(symbols);
        int end = begin + (int) image.getLong(symbols + 32);
        for (int symbol = begin; symbol < end; symbol += SYMBOL_BYTES) {
            consumer.accept(text(fileOffsetOf(names) + image.getInt(symbol)), symbol);
        }
    }

    /** A symbol: offset of the name at 0, address at 8. */
    private void changeSymbol(String name, int symbol) {
        if (MISSING.contains(name)) {
            image.putInt(symbol, image.getInt(symbol) + 1); // the name without its first letter
        } else if (FAILING.contains(name)) {
            int function = fileOffset(image.getLong(symbol + 8));
            if (Abi.current() == Abi.X86_64) {
                failOnX86(function, name);
            } else {
                failOnAarch64(function, name);
            }
            found.add(name);
        }
    }

    /** Program headers: type at 0 (1: loaded), file offset at 8, address at 16, size in the file at 32; 56 bytes each. */
    private int fileOffset(long address) {
        int count = image.getShort(56);
        for (int i = 0; i < count; i++) {
            int header = ELF_HEADER_BYTES + i * 56;
            long within = address - image.getLong(header + 16);
            if (image.getInt(header) == 1 && within >= 0 && within < image.getLong(header + 32)) {
                return (int) (image.getLong(header + 8) + within);
            }
        }
        throw new IllegalStateException("no segment has the address " + address);
    }

    /** {@code mov $number, %eax; syscall} */
    private void failOnX86(int function, String name) {
        for (int at = function; at < function + PROLOGUE_BYTES; at++) {
            if (image.get(at) == (byte) 0xb8 && image.getShort(at + 5) == 0x050f) {
                image.putInt(at + 1, NO_SYSTEM_CALL);
                return;
            }
        }
        throw new IllegalStateException(name + " does not begin with its system call");
    }

    /** {@code mov x8, #number; svc #0} */
    private void failOnAarch64(int function, String name) {
        for (int at = function; at < function + PROLOGUE_BYTES; at += Integer.BYTES) {
            if ((image.getInt(at) & 0xffe0001f) == 0xd2800008) {
                image.putInt(at, 0xd2800008 | NO_SYSTEM_CALL << 5);
                return;
            }
        }
        throw new IllegalStateException(name + " does not begin with its system call");
    }

    private String text(int begin) {
        int end = begin;
        while (image.get(end) != 0) {
            end++;
        }
        return new String(image.array(), begin, end - begin, StandardCharsets.US_ASCII);
    }
}

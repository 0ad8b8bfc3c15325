package org.cabrank.kernel.panama;

import java.lang.foreign.GroupLayout;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.cabrank.kernel.Abi;

/** The C name or expression of a number that Java declares. */
sealed interface CMeaning {

    /** The C expression of the number. */
    String expression();

    /** The number that jextract found for an ABI. */
    long generated(Abi abi) throws ReflectiveOperationException;

    /** A macro or an enum constant, and what Java adds to it. */
    record Constant(String name, int plus) implements CMeaning {
        Constant(String name) {
            this(name, 0);
        }

        @Override
        public String expression() {
            return plus == 0 ? name : name + " + " + plus;
        }

        @Override
        public long generated(Abi abi) throws ReflectiveOperationException {
            Number value = (Number) generatedClass(abi, "Linux").getMethod(name).invoke(null);
            return value.longValue() + plus;
        }
    }

    /** The size of a struct, named as C does: {@code struct NAME}, or just NAME for a typedef. */
    record SizeOf(String type) implements CMeaning {
        @Override
        public String expression() {
            return "sizeof(" + type + ")";
        }

        @Override
        public long generated(Abi abi) throws ReflectiveOperationException {
            return layout(abi, type).byteSize();
        }
    }

    /**
     * The offset of a member of a struct; {@code path} may go through members of members, with dots. {@code plus} is what
     * Java adds to it.
     */
    record OffsetOf(String type, String path, int plus) implements CMeaning {
        OffsetOf(String type, String path) {
            this(type, path, 0);
        }

        @Override
        public String expression() {
            String offset = "offsetof(" + type + ", " + path + ")";
            return plus == 0 ? offset : offset + " + " + plus;
        }

        @Override
        public long generated(Abi abi) throws ReflectiveOperationException {
            GroupLayout struct = layout(abi, type);
            long offset = 0;
            for (String member : path.split("\\.")) {
                PathElement[] found = pathTo(member, struct).orElseThrow(() -> new AssertionError(expression()));
                offset += struct.byteOffset(found);
                if (struct.select(found) instanceof GroupLayout inner) {
                    struct = inner;
                }
            }
            return offset + plus;
        }

        /** C looks for a member in the structs and unions without a name too; jextract gives them one. */
        private static Optional<PathElement[]> pathTo(String member, GroupLayout struct) {
            for (MemoryLayout each : struct.memberLayouts()) {
                String name = each.name().orElse("");
                if (name.equals(member)) {
                    return Optional.of(new PathElement[] {PathElement.groupElement(name)});
                }
                if (name.startsWith("$anon$")) {
                    Optional<PathElement[]> inner = pathTo(member, (GroupLayout) each);
                    if (inner.isPresent()) {
                        return Optional.of(
                                Stream.concat(Stream.of(PathElement.groupElement(name)), Stream.of(inner.get()))
                                        .toArray(PathElement[]::new));
                    }
                }
            }
            return Optional.empty();
        }
    }

    private static GroupLayout layout(Abi abi, String type) throws ReflectiveOperationException {
        Class<?> generated = generatedClass(abi, type.replaceFirst("^struct ", ""));
        return (GroupLayout) generated.getMethod("layout").invoke(null);
    }

    /** Classes that are the same for both ABIs exist once, for x86-64. */
    private static Class<?> generatedClass(Abi abi, String name) throws ClassNotFoundException {
        try {
            return Class.forName(
                    "org.cabrank.kernel.panama.generated." + abi.name().toLowerCase(Locale.ROOT) + "." + name);
        } catch (ClassNotFoundException theSame) {
            if (abi == Abi.X86_64) {
                throw theSame;
            }
            return generatedClass(Abi.X86_64, name);
        }
    }
}

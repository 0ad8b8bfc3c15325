package org.cabrank.bench.measure;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;

/** Weighs itself before and after it took memory of several kinds, and prints each weight, or why there is none. */
public final class WeighedProgram {

    static final int BYTES = 16 << 20;

    /** Each takes some kilobytes of metadata, and of code when it was compiled. */
    static final int CLASSES = 300;

    private static final int CALLS = 20_000;

    private WeighedProgram() {}

    public static void main(String[] arguments) throws Exception {
        try {
            weigh();
            Object[] kept = new Object[2];
            kept[0] = new byte[BYTES];
            weigh();
            kept[1] = ByteBuffer.allocateDirect(BYTES);
            weigh();
            loadAndCompile();
            weigh();
            if (kept[0] == kept[1]) {
                throw new AssertionError("both are kept to the end");
            }
        } catch (UnweighableException why) {
            System.out.println(why.getMessage());
        }
    }

    private static void weigh() throws UnweighableException {
        System.out.println(JvmMemory.bytes());
    }

    /** Loads a class in many class loaders, and calls each copy until the JIT compiler has compiled it. */
    private static void loadAndCompile() throws ReflectiveOperationException {
        int sum = 0;
        for (int i = 0; i < CLASSES; i++) {
            Method work = new Again().loadClass(Work.class.getName()).getMethod("of", int.class);
            for (int call = 0; call < CALLS; call++) {
                sum += (int) work.invoke(null, call);
            }
        }
        if (sum == 42) {
            throw new AssertionError("nobody may leave the work out");
        }
    }

    /** The class that is loaded many times. */
    public static final class Work {

        private Work() {}

        public static int of(int seed) {
            int value = seed;
            for (int i = 0; i < 8; i++) {
                value = value * 31 ^ value >>> i;
            }
            return value;
        }
    }

    private static final class Again extends ClassLoader {

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            return name.equals(Work.class.getName()) ? findClass(name) : super.loadClass(name, resolve);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                byte[] content = file.readAllBytes();
                return defineClass(name, content, 0, content.length);
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }
    }
}

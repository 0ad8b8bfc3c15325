package org.cabrank.lf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** Classes of the pool in a class loader of their own, which nobody has used before. */
class ClassInitializationTest {
    private static final String PACKAGE = "org.cabrank.lf.";

    private static final class Fresh extends ClassLoader {
        final Set<String> defined = ConcurrentHashMap.newKeySet();

        Fresh() {
            super(ClassInitializationTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(PACKAGE)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> before = findLoadedClass(name);
                return before != null ? before : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            String file = '/' + name.replace('.', '/') + ".class";
            try (InputStream bytes = LeaderFollowersPool.class.getResourceAsStream(file)) {
                byte[] all = bytes.readAllBytes();
                defined.add(name.substring(PACKAGE.length()));
                return defineClass(name, all, 0, all.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /**
     * A class whose initialization overflows the stack cannot be used as long as the process lives: "Could not initialize class
     * Reply" was seen after a handler had been the first to ask for a reply, at the end of its stack.
     */
    @Test
    void poolInitializesTheClassesThatAHandlerMayBeTheFirstToUse() throws ClassNotFoundException {
        Fresh fresh = new Fresh();
        Class.forName(PACKAGE + "LeaderFollowersPool", true, fresh);
        List<String> wanted =
                List.of("Reply", "Timers", "Timer", "Timer$State", "TaskQueue", "leadership.Turn$Outcome");
        assertEquals(wanted, wanted.stream().filter(fresh.defined::contains).toList());
    }
}

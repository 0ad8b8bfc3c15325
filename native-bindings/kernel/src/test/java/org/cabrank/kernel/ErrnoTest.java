package org.cabrank.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import org.junit.jupiter.api.Test;

class ErrnoTest {

    @Test
    void everyConstantKnowsItsNameAndItsMeaning() throws IllegalAccessException {
        for (Field field : Errno.class.getFields()) {
            int value = field.getInt(null);
            if (value != Errno.MAX_ERRNO) {
                assertEquals(field.getName(), Errno.name(value));
                String described = Errno.describe(value);
                assertTrue(described.startsWith(field.getName() + " (") && described.endsWith(")"), described);
            }
        }
    }

    @Test
    void unknownNumbersAreNamedByTheirNumber() {
        assertEquals("errno 4095", Errno.name(4095));
        assertEquals("errno 41", Errno.describe(41));
        assertEquals("errno 0", Errno.name(0));
        assertEquals("errno -1", Errno.name(-1));
    }

    @Test
    void exceptionNamesTheCallAndTheError() {
        KernelException exception = Errno.exception("bind", -Errno.EADDRINUSE);
        assertEquals("bind: EADDRINUSE (address already in use)", exception.getMessage());
        assertEquals(Errno.EADDRINUSE, exception.errno());
    }

    @Test
    void goodResultMakesNoException() throws KernelException {
        assertEquals(0, Errno.check("close", 0));
        assertEquals(7, Errno.check("socket", 7));
        assertThrows(IllegalArgumentException.class, () -> Errno.exception("socket", 7));
        assertThrows(IllegalArgumentException.class, () -> Errno.exception("close", 0));
    }

    @Test
    void badResultIsThrown() {
        KernelException thrown = assertThrows(KernelException.class, () -> Errno.check("accept4", -Errno.EMFILE));
        assertEquals(Errno.EMFILE, thrown.errno());
    }
}

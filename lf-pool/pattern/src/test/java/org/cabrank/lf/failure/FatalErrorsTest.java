package org.cabrank.lf.failure;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FatalErrorsTest {
    @Test
    void errorsOfTheVirtualMachineEndTheThread() {
        assertTrue(FatalErrors.endsThread(new InternalError()));
        assertTrue(FatalErrors.endsThread(new UnknownError()));
        assertTrue(FatalErrors.endsThread(new UnknownError("thrown on purpose")));
    }

    @Test
    void exhaustionAndAllElseIsAFailureOfTheCallback() {
        assertFalse(FatalErrors.endsThread(new StackOverflowError()));
        assertFalse(FatalErrors.endsThread(new OutOfMemoryError()));
        assertFalse(
                FatalErrors.endsThread(new InternalError(new StackOverflowError())), "as linking a lambda wraps it");
        assertFalse(FatalErrors.endsThread(new InternalError(new OutOfMemoryError())));
        assertFalse(FatalErrors.endsThread(new AssertionError()));
        assertFalse(FatalErrors.endsThread(new NoClassDefFoundError()));
        assertFalse(FatalErrors.endsThread(new InterruptedException()));
        assertFalse(FatalErrors.endsThread(null));
    }
}

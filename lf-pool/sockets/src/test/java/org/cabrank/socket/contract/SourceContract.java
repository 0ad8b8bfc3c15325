package org.cabrank.socket.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.cabrank.kernel.Kernel;

/** A set that sources are opened in, over a kernel with a script. */
public abstract class SourceContract extends SetContract<ScriptedKernel> {
    @Override
    final ScriptedKernel kernelOver(Kernel real) {
        return new ScriptedKernel(real);
    }

    @Override
    final void nothingIsLeftIn(ScriptedKernel ofTheSet) {
        assertEquals(Set.of(), ofTheSet.open());
        assertEquals(Set.of(), ofTheSet.closedWrongly());
        assertTrue(ofTheSet.answeredAll(), "the script was not played to its end");
    }

    static ByteBuffer direct(int count) {
        return ByteBuffer.allocateDirect(count).order(ByteOrder.nativeOrder());
    }

    protected static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads the rest of the buffer as text. */
    protected static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }
}

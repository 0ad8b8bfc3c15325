package org.cabrank.socket.contract;

import java.io.IOException;
import org.cabrank.kernel.Kernel;
import org.cabrank.lf.handle.Deactivation;
import org.cabrank.socket.DescriptorSet;

/**
 * A kind of handle set that the contract is run over. A class with a constructor without parameters: the child processes of the
 * contract make their own from its name.
 */
public interface SetKind {
    /** For the names of tests. */
    String name();

    /** Returns true if a pool of several threads may use the set. */
    boolean isForSeveralThreads();

    /** @throws IOException when the process may have no more descriptors */
    DescriptorSet open(Kernel kernel, Deactivation deactivation) throws IOException;

    /** The kind of this class. */
    static SetKind named(String className) throws ReflectiveOperationException {
        var constructor = Class.forName(className).getDeclaredConstructor();
        constructor.setAccessible(true);
        return (SetKind) constructor.newInstance();
    }
}

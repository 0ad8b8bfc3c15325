package org.cabrank.socket.contract;

import org.cabrank.stream.contract.ReactorMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Contracts of streams over sockets that are run over the same reactors. A reactor's test extends one of these lists and says
 * with {@code static Stream<ReactorMode> modes()} how the reactors are built.
 */
@ParameterizedClass(name = "{0}")
@MethodSource("modes")
public abstract class StreamContracts {
    @Parameter
    protected ReactorMode mode;
}

package org.cabrank.bench.contender;

import java.io.IOException;

/** The contender cannot run on this machine. The message has the reason and the remedy. */
public final class ContenderUnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    public ContenderUnavailableException(String message) {
        super(message);
    }

    static void throwUnless(Contender contender, Protocol protocol) throws ContenderUnavailableException {
        if (!contender.serves(protocol)) {
            throw new ContenderUnavailableException(contender.name() + " does not serve " + protocol.word());
        }
    }
}

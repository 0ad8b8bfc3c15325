package org.cabrank.stream.transport;

import org.cabrank.stream.Connection;

/** A connection that decorates another one, such as that of a protocol. {@link StreamConnection#below} finds the lowest one. */
public interface ConnectionDecorator {
    /** Returns the connection that this object decorates, which may itself be a decorator. */
    Connection decoratedConnection();
}

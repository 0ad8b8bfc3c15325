package org.cabrank.stream;

import java.io.IOException;

/**
 * The peer has sent more descriptors than the connection keeps ({@link ListenOptions#descriptorsMax}, {@link
 * ConnectOptions#descriptorsMax}), or this process could not take them. The connection and its descriptors are closed.
 */
public final class DescriptorLimitException extends IOException {
    private static final long serialVersionUID = 1L;

    public DescriptorLimitException(String message) {
        super(message);
    }
}

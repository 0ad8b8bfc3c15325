package org.cabrank.stream;

import java.io.IOException;

/** The peer has sent more descriptors than {@code descriptorsMax} allows, or this process could not take them. They are closed. */
public final class DescriptorLimitException extends IOException {
    private static final long serialVersionUID = 1L;

    public DescriptorLimitException(String message) {
        super(message);
    }
}

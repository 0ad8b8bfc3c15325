package org.cabrank.socket.calls;

/** The party that closes a descriptor when its handle is closed. */
public enum DescriptorOwner {
    /** The set closes the descriptor, and nobody else has a duplicate, so that closing suffices to end the kernel's watch. */
    SET,
    /** Like SET, but there may be duplicates, which would keep it watched: the kernel's watch is ended first. */
    SET_WITH_DUPLICATES,
    /** Only the kernel's watch is ended; whoever registered the descriptor closes it. */
    CALLER
}

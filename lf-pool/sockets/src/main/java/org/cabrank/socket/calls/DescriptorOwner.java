package org.cabrank.socket.calls;

/** The party that closes a descriptor when its handle is closed. */
public enum DescriptorOwner {
    /** The set closes the descriptor, and there are no duplicates, so the close also ends the kernel's watch. */
    SET,
    /** The set closes the descriptor. Before that, it ends the kernel's watch, because duplicates would keep the descriptor watched. */
    SET_WITH_DUPLICATES,
    /** The set only ends the kernel's watch; the party that has registered the descriptor closes it. */
    CALLER
}

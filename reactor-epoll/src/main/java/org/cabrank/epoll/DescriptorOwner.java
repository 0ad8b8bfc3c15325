package org.cabrank.epoll;

/** What becomes of a descriptor when its handle is closed. */
enum DescriptorOwner {
    /** The set closes it, which takes it out of epoll: nobody else has a duplicate. */
    SET,
    /** Like SET, but there may be duplicates, which would keep it in epoll: it is taken out first. */
    SET_WITH_DUPLICATES,
    /** It is only taken out of epoll; whoever registered it closes it. */
    CALLER
}

package org.cabrank.stream.contract.model;

/** Kinds of callbacks. */
enum Callback {
    OPENED,
    DATA,
    TASK,
    TIMER,
    COMPLETION,
    CONTINUATION,
    INPUT_CLOSED,
    DEADLINE_PASSED,
    DRAINING,
    WRITABLE,
    CLOSED
}

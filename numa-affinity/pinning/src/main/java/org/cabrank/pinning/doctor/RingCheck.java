package org.cabrank.pinning.doctor;

/** Check of io_uring. */
final class RingCheck {
    private static final String EFFECT =
            "epoll serves instead, with two system calls or more for each request; --backend"
                    + " iouring refuses to start";
    private static final String PREFIX = "io_uring: ";

    private RingCheck() {}

    static Finding look(Check check, CheckContext context) {
        RingTrial ring = context.ring();
        return switch (ring.outcome()) {
            case MADE -> check.ok("a ring can be made: " + ring.words());
            case REFUSED -> refused(check, ring.words());
            case NOT_TRIED ->
                bySysctl(
                        check,
                        context.procfs().text("sys/kernel/io_uring_disabled").orElse(""));
        };
    }

    /** Splits the reactor's error message: the cause, and after the semicolon the remedy. */
    private static Finding refused(Check check, String words) {
        String said = words.startsWith(PREFIX) ? words.substring(PREFIX.length()) : words;
        int semicolon = said.indexOf("; ");
        return semicolon < 0
                ? check.warning(said, EFFECT, "take epoll (--backend epoll), which needs nothing")
                : check.warning(said.substring(0, semicolon), EFFECT, said.substring(semicolon + 2));
    }

    /** Reports the sysctl, the only evidence for a machine that is only present as files. */
    private static Finding bySysctl(Check check, String disabled) {
        return switch (disabled) {
            case "0" -> check.ok("the sysctl kernel.io_uring_disabled allows it; not tried");
            case "1", "2" ->
                check.warning(
                        "the sysctl kernel.io_uring_disabled=" + disabled + " forbids it to "
                                + (disabled.equals("1") ? "unprivileged processes" : "every process"),
                        EFFECT,
                        "sysctl -w kernel.io_uring_disabled=0");
            default ->
                check.note("not tried, as this machine is not here", "", "run 'cabrank doctor' on the machine itself");
        };
    }
}

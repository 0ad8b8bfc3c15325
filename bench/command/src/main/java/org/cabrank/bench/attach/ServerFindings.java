package org.cabrank.bench.attach;

import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.cabrank.bench.text.Durations;
import org.cabrank.pinning.doctor.Check;
import org.cabrank.pinning.doctor.Finding;
import org.cabrank.pinning.doctor.Severity;

/** Examines an observation of a server for the causes that limit the server. */
public final class ServerFindings {
    private static final List<Function<Observation, Finding>> CHECKS = List.of(
            ReactorFindings::failure,
            PoolFindings::service,
            PoolFindings::handlers,
            PoolFindings::latency,
            PoolFindings::threads,
            PoolFindings::takeovers,
            PoolFindings::gaps,
            PoolFindings::contention,
            PoolFindings::exceptions,
            PoolFindings::queues,
            PoolFindings::kernelRetries,
            ReactorFindings::balance,
            ReactorFindings::memory,
            ReactorFindings::outbound,
            ReactorFindings::unread,
            ReactorFindings::accepts,
            ReactorFindings::connectionLimit,
            ReactorFindings::acceptRate,
            ReactorFindings::pausedListeners,
            TlsFindings::handshakes,
            TlsFindings::waits);

    private ServerFindings() {}

    /** Returns one finding for each check, the most severe first. */
    public static List<Finding> examine(Observation observation) {
        return CHECKS.stream()
                .map(check -> check.apply(observation))
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
    }

    /** Sums attributes over all beans. A bean that is missing in the first reading does not count for the growth. */
    static Growth growth(Observation observation, Function<ServerBeans, List<BeanValues>> kind, String... attributes) {
        long during = 0;
        long total = 0;
        for (BeanValues after : kind.apply(observation.after())) {
            BeanValues before = ServerBeans.find(kind.apply(observation.before()), after.name())
                    .orElse(after);
            for (String attribute : attributes) {
                total += after.number(attribute);
                during += after.number(attribute) - before.number(attribute);
            }
        }
        return new Growth(during, total, observation.windowNs());
    }

    /** Returns a warning if events occurred during the observation, or a note if all occurred earlier. {@code what} names the events. */
    static Finding counted(Check check, String what, Growth growth, String effect, String remedy) {
        if (growth.total() == 0) {
            return check.ok("no " + what);
        }
        String finding = growth.during() + " " + what + " in " + Durations.format(growth.windowNs()) + ", "
                + growth.total() + " since the start";
        return check.finding(growth.during() > 0 ? Severity.WARNING : Severity.NOTE, finding, effect, remedy);
    }

    /** @param total count since the start of the server */
    record Growth(long during, long total, long windowNs) {
        double perSecond() {
            return during * 1e9 / Math.max(1, windowNs);
        }
    }
}

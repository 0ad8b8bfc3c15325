package org.cabrank.bench.attach;

import org.cabrank.bench.attach.ServerFindings.Growth;
import org.cabrank.bench.text.Durations;
import org.cabrank.pinning.doctor.Check;
import org.cabrank.pinning.doctor.Finding;
import org.cabrank.pinning.doctor.Severity;

final class TlsFindings {
    /** A larger share of failed handshakes is a warning. On every server, scanners cause some failed handshakes. */
    private static final double FAILED_SHARE = 0.1;

    private TlsFindings() {}

    static Finding handshakes(Observation observation) {
        Check check = new Check("tls-handshakes", "TLS handshakes");
        if (observation.after().tls().isEmpty()) {
            return check.ok("no TLS is shown over JMX (Tls.registerBean shows it)");
        }
        Growth failed = ServerFindings.growth(observation, ServerBeans::tls, "HandshakesFailed");
        Growth timedOut = ServerFindings.growth(observation, ServerBeans::tls, "HandshakesTimedOut");
        Growth begun = ServerFindings.growth(observation, ServerBeans::tls, "HandshakesBegun");
        String figures = failed.during() + " of " + begun.during() + " handshakes failed in "
                + Durations.format(failed.windowNs()) + ", " + failed.total() + " of " + begun.total()
                + " since the start, " + timedOut.total() + " of these by time-out";
        if (failed.total() == 0) {
            return check.ok(figures);
        }
        // The share may exceed 1, because a handshake that failed during the observation may have begun earlier.
        boolean many = failed.during() > FAILED_SHARE * begun.during();
        return check.finding(
                many ? Severity.WARNING : Severity.NOTE,
                figures,
                "these clients are not served",
                "compare the clients' versions, cipher suites and trusted certificates with the server's (openssl s_client"
                        + " -connect HOST:PORT), and look at the dates of the certificate; against time-outs, more threads"
                        + " (--threads-per-shard) or Tls.Builder.handshakeTimeout");
    }

    static Finding waits(Observation observation) {
        return ServerFindings.counted(
                new Check("tls-waits", "TLS waits"),
                "steps of handshakes waited for other handshakes",
                ServerFindings.growth(observation, ServerBeans::tls, "HandshakesDeferred"),
                "new clients wait, so that standing connections are served",
                "more threads (--threads-per-shard) or Tls.Builder.handshakeExecutor; have clients keep connections, and"
                        + " resume sessions");
    }
}

package org.cabrank.bench.load;

import java.net.UnknownHostException;
import org.cabrank.bench.text.HostPort;

/**
 * Request to the generator's process to make one run. Sent as one line of JSON.
 *
 * @param serverPid the process whose resource use is measured
 * @param tlsDirectory directory of the server's certificate, or null for plain text
 */
public record LoadRequest(
        String address, LoadTraffic traffic, int threads, long timeoutNs, long serverPid, String tlsDirectory) {

    /** Resolves the host. If that fails, the exception names the host. {@code tls} is null for plain text. */
    public LoadSettings settings(ClientTls tls) throws UnknownHostException {
        return new LoadSettings(HostPort.parse(address).resolve(), traffic, threads, timeoutNs, tls);
    }
}

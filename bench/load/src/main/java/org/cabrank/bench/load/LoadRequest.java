package org.cabrank.bench.load;

import java.net.UnknownHostException;
import org.cabrank.bench.text.HostPort;

/**
 * Order to the generator's process to make one run: one line of JSON.
 *
 * @param address HOST:PORT of the server
 * @param timeoutNs see {@link LoadSettings}
 * @param serverPid the process whose resource use is measured
 * @param tlsDirectory directory of the server's certificate; null: plain text
 */
public record LoadRequest(
        String address, LoadTraffic traffic, int threads, long timeoutNs, long serverPid, String tlsDirectory) {

    /** Resolves the host; the exception names it. {@code tls} is null for plain text. */
    public LoadSettings settings(ClientTls tls) throws UnknownHostException {
        return new LoadSettings(HostPort.parse(address).resolve(), traffic, threads, timeoutNs, tls);
    }
}

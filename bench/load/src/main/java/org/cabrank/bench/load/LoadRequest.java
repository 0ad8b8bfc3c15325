package org.cabrank.bench.load;

import java.net.UnknownHostException;
import org.cabrank.bench.text.HostPort;

/**
 * Order to the generator's process for one run: one line of JSON.
 *
 * @param address HOST:PORT of the server
 * @param traffic the load to send
 * @param threads number of threads of the generator
 * @param timeoutNs as in {@link LoadSettings}
 * @param serverPid the process whose resource use is measured
 * @param tlsDirectory directory of the server's certificate; null: plain text
 */
public record LoadRequest(
        String address, LoadTraffic traffic, int threads, long timeoutNs, long serverPid, String tlsDirectory) {

    /**
     * Converts to settings, after resolving the host.
     *
     * @param tls TLS of the connections; null: plain text
     * @throws UnknownHostException naming the host
     */
    public LoadSettings settings(ClientTls tls) throws UnknownHostException {
        return new LoadSettings(HostPort.parse(address).resolve(), traffic, threads, timeoutNs, tls);
    }
}

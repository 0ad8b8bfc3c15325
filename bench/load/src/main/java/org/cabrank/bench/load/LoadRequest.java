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
 */
public record LoadRequest(String address, LoadTraffic traffic, int threads, long timeoutNs, long serverPid) {

    /**
     * Converts to settings, after resolving the host.
     *
     * @throws UnknownHostException naming the host
     */
    public LoadSettings settings() throws UnknownHostException {
        return new LoadSettings(HostPort.parse(address).resolve(), traffic, threads, timeoutNs);
    }
}

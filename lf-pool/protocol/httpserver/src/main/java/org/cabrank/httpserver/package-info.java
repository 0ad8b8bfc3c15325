/**
 * Servers of the JDK's API {@code com.sun.net.httpserver} on Cabrank. A program that uses the API runs on Cabrank's threads and backends
 * without a change if the artifact {@code cabrank-httpserver} is on the module path or the class path:
 *
 * <pre>{@code
 * HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
 * server.setExecutor(executor);
 * server.createContext("/upload", UploadService::upload);
 * server.start();
 * }</pre>
 *
 * <p>Without an executor the threads of the server run handlers. A thread whose handler waits for its client is parked. The last unparked
 * thread of a shard serves other connections. <a href="doc-files/differences.html">A table</a> shows the differences from the JDK's server.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.httpserver;

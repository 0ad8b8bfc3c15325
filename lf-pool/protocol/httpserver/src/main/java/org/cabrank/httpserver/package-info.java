/**
 * Servers of the JDK's API {@code com.sun.net.httpserver} on Cabrank: programs that use the API run on its threads and backends
 * unchanged, once the artifact {@code cabrank-httpserver} is on the module path or the class path:
 *
 * <pre>{@code
 * HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
 * server.setExecutor(executor);
 * server.createContext("/upload", UploadService::upload);
 * server.start();
 * }</pre>
 *
 * <p>Without an executor the threads of the server run handlers. A handler that waits for its client parks its thread after it has promoted
 * a new leader and given up its connection; the last thread of a shard serves other connections during its wait. README.md of the module
 * tells more; <a href="doc-files/differences.html">the differences</a> from the JDK's server are a table.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.httpserver;

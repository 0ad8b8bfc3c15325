/**
 * HTTP/1.1 clients on stream connections: for health checks, proxies, load, and handlers that call another service.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.http.client;

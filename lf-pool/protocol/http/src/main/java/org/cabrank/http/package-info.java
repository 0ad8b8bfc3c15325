/**
 * HTTP/1.1 servers (RFC 9110, RFC 9112) on stream connections.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.http;

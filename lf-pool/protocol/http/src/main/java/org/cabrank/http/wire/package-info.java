/**
 * Parsers of the heads and bodies of HTTP/1.1 (RFC 9112), for programs that read bytes from the network by themselves.
 * Services use {@link org.cabrank.http.Http}.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.http.wire;

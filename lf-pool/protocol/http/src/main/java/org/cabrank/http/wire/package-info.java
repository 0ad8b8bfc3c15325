/**
 * The bytes of HTTP/1.1 (RFC 9112): parsers of heads and bodies, for programs that read their bytes by themselves. Services use {@link
 * org.cabrank.http.Http}.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.http.wire;

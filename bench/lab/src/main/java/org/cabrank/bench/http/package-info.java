/** The plaintext HTTP/1.1 server: enough of RFC 9112 for load generators and browsers. */
package org.cabrank.bench.http;

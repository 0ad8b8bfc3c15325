/** The plaintext HTTP/1.1 service, and pages that are made for each request. */
package org.cabrank.bench.http;

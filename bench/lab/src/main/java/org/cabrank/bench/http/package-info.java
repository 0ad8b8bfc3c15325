/** The plaintext HTTP/1.1 service, which every server of the bench answers with, and pages that are made for each request. */
package org.cabrank.bench.http;

/** Examines a running server over JMX: attaches to its JVM, reads its beans twice, and names what holds the server back. */
package org.cabrank.bench.attach;

/** Examines a running server over JMX: attaches to its JVM and reads its beans twice. */
package org.cabrank.bench.attach;

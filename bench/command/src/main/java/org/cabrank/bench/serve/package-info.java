/** The process of {@code cabrank serve}: signals that end it, its JMX attributes, and its request for short CPU wake-ups. */
package org.cabrank.bench.serve;

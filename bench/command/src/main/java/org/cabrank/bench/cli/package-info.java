/** Commands of {@code cabrank}, and the flags, converters and error messages that they share. */
package org.cabrank.bench.cli;

/** Commands of {@code cabrank}, with their flags, converters and error messages. */
package org.cabrank.bench.cli;

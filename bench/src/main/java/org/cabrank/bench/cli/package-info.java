/** What the commands share: durations, addresses, failures. */
package org.cabrank.bench.cli;

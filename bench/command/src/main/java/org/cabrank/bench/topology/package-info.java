/** Draws a machine for people: its parts, what this process may use of them, and where the shards of a plan go. */
package org.cabrank.bench.topology;

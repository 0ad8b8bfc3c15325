/** Draws a machine for people. */
package org.cabrank.bench.topology;

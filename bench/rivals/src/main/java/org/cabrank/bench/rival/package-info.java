/** Contenders that are whole frameworks: servers that run handlers, or let them block, in a way that their makers recommend. */
package org.cabrank.bench.rival;

/** Contenders that are whole frameworks: servers that run handlers, blocking ones too, in the way that their makers recommend. */
package org.cabrank.bench.rival;

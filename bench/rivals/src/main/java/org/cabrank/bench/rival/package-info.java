/** Contenders that are whole frameworks. Each runs its handlers in the way that its makers recommend. */
package org.cabrank.bench.rival;

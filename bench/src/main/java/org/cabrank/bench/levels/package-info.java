/** {@code cabrank bench service-levels}: an urgent class of connections under a flood of bulk. */
package org.cabrank.bench.levels;

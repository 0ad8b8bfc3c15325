/** Samples the stacks of a contender in its process, and reads the result. */
package org.cabrank.bench.profile;

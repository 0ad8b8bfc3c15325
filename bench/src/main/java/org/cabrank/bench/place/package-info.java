/** Where the shards of a server go: the machine and this process's part of it, and a plan's threads held to their CPUs. */
package org.cabrank.bench.place;

/** An example of a service that Redis clients talk to: a map in memory. It is no database. */
package org.cabrank.bench.resp;

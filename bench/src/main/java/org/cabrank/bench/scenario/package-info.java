/** What the bench asks of servers: scenarios, their cells, and how long a run through them takes. */
package org.cabrank.bench.scenario;

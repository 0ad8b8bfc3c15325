/** Handlers of echo servers, and the simulated work that each request costs a server of the bench. */
package org.cabrank.bench.handler;

/** Handlers of echo servers, and the simulated work of a request. */
package org.cabrank.bench.handler;

/**
 * Dispatch: finds the handle of each event, and decides which threads may run its handler. A {@link org.cabrank.lf.dispatch.Dispatcher}
 * calls the backend through {@link org.cabrank.lf.dispatch.BackendCalls}, handlers through {@link org.cabrank.lf.dispatch.HandleState}, and
 * the pool through {@link org.cabrank.lf.dispatch.ServingPool}.
 */
package org.cabrank.lf.dispatch;

/**
 * Dispatch: finds the handler of each event, and ensures that only one thread at a time runs it. A {@link
 * org.cabrank.lf.dispatch.Dispatcher} calls the backend through {@link org.cabrank.lf.dispatch.BackendCalls}, handlers through {@link
 * org.cabrank.lf.dispatch.HandleState}, and the pool through {@link org.cabrank.lf.dispatch.ServingPool}.
 */
package org.cabrank.lf.dispatch;

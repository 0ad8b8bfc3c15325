/**
 * Dispatch: which event goes to the handler of which handle, and which thread may run it. A {@link org.cabrank.lf.dispatch.Dispatcher}
 * calls the backend through {@link org.cabrank.lf.dispatch.BackendCalls}, handlers through {@link org.cabrank.lf.dispatch.HandleState}, and
 * the pool through {@link org.cabrank.lf.dispatch.ServingPool}.
 */
package org.cabrank.lf.dispatch;

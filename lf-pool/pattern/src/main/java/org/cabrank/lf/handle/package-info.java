/**
 * Handles and the sets that leaders watch: the types that a backend implements and that an event handler sees. The pool stands
 * above this package.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.lf.handle;

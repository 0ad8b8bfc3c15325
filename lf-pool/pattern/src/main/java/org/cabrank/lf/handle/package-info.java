/**
 * Handles and the sets that leaders watch: the types that a backend implements and an event handler sees. The pool uses this package.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.lf.handle;

/**
 * Handles and the sets that leaders watch: the types that a backend implements and that an event handler sees. The pool stands
 * above this package.
 *
 * <p>Stability: stable.
 */
package org.cabrank.lf.handle;

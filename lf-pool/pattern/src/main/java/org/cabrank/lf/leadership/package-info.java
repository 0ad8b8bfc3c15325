/**
 * Leadership: the thread that leads a handle set, its successor, and the watcher. This package does not depend on handles or on the pool.
 */
package org.cabrank.lf.leadership;

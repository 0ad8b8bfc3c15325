/**
 * Leadership: the thread that leads a handle set, its successor, and the watcher. Depends on neither handles nor the pool: a {@link
 * org.cabrank.lf.leadership.Turn} takes events from an {@link org.cabrank.lf.leadership.EventSource}, asks a {@link
 * org.cabrank.lf.leadership.StopCheck} for the pool's phase, and notifies a {@link org.cabrank.lf.leadership.LeadershipListener}.
 */
package org.cabrank.lf.leadership;

/**
 * {@code cabrank serve --live}: what a server's counters say of the last seconds, on a terminal. In three parts: {@link
 * org.cabrank.bench.live.LiveModel} makes a {@link org.cabrank.bench.live.LiveFigures} of two readings of the counters, {@link
 * org.cabrank.bench.live.Dashboard} makes lines of that, and {@link org.cabrank.bench.live.Screen} shows them. The counters are
 * those that JMX shows.
 */
package org.cabrank.bench.live;

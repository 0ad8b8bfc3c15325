/** The page that {@code cabrank bench} writes: one file that needs no network and no server. */
package org.cabrank.bench.report.html;

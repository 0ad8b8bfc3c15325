/** What a run says in words: who is ahead where, and by how much. Pure. */
package org.cabrank.bench.report.summary;

/** Results of the bench: raw numbers of each run, and their summary. */
package org.cabrank.bench.report;

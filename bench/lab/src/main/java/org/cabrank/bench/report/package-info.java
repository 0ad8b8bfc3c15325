/** Results of the bench: raw numbers of each run, their summary, the table and the JSON file. */
package org.cabrank.bench.report;

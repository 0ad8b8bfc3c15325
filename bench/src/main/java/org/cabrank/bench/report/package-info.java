/** What the bench found out: raw numbers per run, their summary, the table and the JSON file. */
package org.cabrank.bench.report;

/**
 * The parts that requests and answers of HTTP have in common: fields, texts, statuses, dates and limits.
 *
 * <p>Stability: preview; any release may change the package.
 */
package org.cabrank.http.message;

/**
 * {@code cabrank bench scaling} and {@code cabrank bench accept}: one server laid out in many ways, from one shared pool to one
 * reactor for each thread, measured side by side.
 */
package org.cabrank.bench.shards;

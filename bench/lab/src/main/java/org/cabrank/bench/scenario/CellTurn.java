package org.cabrank.bench.scenario;

/**
 * Part of a cell in a round.
 *
 * @param slices number of measured intervals of each server
 */
public record CellTurn(Cell cell, int slices) {}

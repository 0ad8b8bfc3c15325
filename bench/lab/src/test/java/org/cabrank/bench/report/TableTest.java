package org.cabrank.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

final class TableTest {

    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        Table table = new Table(List.of("name", "µs", "n"));
        table.add(List.of("a", "1.25", "1"));
        table.add(List.of("longer", "2", "10,000"));
        assertEquals("""
                name      µs       n
                ------  ----  ------
                a       1.25       1
                longer     2  10,000
                """, table.render());
    }

    @Test
    void aRowHasAsManyCellsAsTheHeader() {
        Table table = new Table(List.of("a", "b"));
        assertThrows(IllegalArgumentException.class, () -> table.add(List.of("1")));
    }
}

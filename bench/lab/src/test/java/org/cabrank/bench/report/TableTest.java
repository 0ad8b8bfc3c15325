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
    void aTableWiderThanTheTerminalIsWrappedBetweenWords() {
        Table table = new Table(List.of("what", "time of a request"));
        table.add(List.of("one two three four", "1.25 µs"));
        table.add(List.of("five", "2"));
        assertEquals("""
                what       time of a
                             request
                ---------  ---------
                one two      1.25 µs
                three
                four
                five               2
                """, table.render(20));
        assertEquals(table.render(37), table.render(200), "37 columns are enough");
    }

    @Test
    void aWordThatDoesNotFitIsNotCut() {
        Table table = new Table(List.of("name"));
        table.add(List.of("cabrank-epoll-deferred"));
        assertEquals("""
                name
                ----------------------
                cabrank-epoll-deferred
                """, table.render(10));
    }

    @Test
    void withoutATerminalNothingIsWrapped() {
        assertEquals(132, Table.terminalColumns("132"));
        for (String unknown : new String[] {null, "", "0", "wide", "-1"}) {
            assertEquals(Integer.MAX_VALUE, Table.terminalColumns(unknown));
        }
    }

    @Test
    void aRowHasAsManyCellsAsTheHeader() {
        Table table = new Table(List.of("a", "b"));
        assertThrows(IllegalArgumentException.class, () -> table.add(List.of("1")));
    }
}

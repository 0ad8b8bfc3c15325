package org.cabrank.affinity;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CpuListTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "0 | 0",
                "0-3,8 | 0-3,8",
                "3,2,1,0 | 0-3",
                "0-2,1-5 | 0-5",
                "7-7 | 7",
                "0,2,4 | 0,2,4",
                "007 | 7",
                "8191 | 8191",
            })
    void listIsPrintedInItsShortestForm(String text, String printed) {
        assertEquals(printed, CpuList.parse(text).toString());
        assertEquals(CpuList.parse(text), CpuList.parse(printed));
    }

    @Test
    void aLongListIsCutForPeople() {
        CpuList even = CpuList.of(IntStream.range(0, 1024).map(cpu -> 2 * cpu).toArray());
        assertEquals("0,2,4,6,8,... (1,024 in all)", even.brief(28));
        assertEquals("0,... (1,024 in all)", even.brief(1));
        assertEquals("0-3,8", CpuList.parse("0-3,8").brief(5));
        assertEquals("", CpuList.of().brief(0));
    }

    @Test
    void lineOfSysfsIsTakenAsItIs() {
        assertEquals(CpuList.of(0, 1), CpuList.parse("0-1\n"));
        assertTrue(CpuList.parse("\n").isEmpty());
        assertEquals("", CpuList.parse("").toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "0,,2 | there is nothing between two commas",
                "0, | there is nothing between two commas",
                "a | 'a' is neither a CPU number nor a range",
                "0-3-5 | '0-3-5' is neither a CPU number nor a range",
                "-1 | '-1' is neither a CPU number nor a range",
                "1- | '1-' is neither a CPU number nor a range",
                "0, 1 | ' 1' is neither a CPU number nor a range",
                "3-1 | the range '3-1' runs backwards",
                "8192 | there is no CPU 8192: the numbers go from 0 to 8191",
                "0-99999999999 | there is no CPU 99999999999",
            })
    void mistakeIsNamed(String text, String words) {
        String message = assertThrows(IllegalArgumentException.class, () -> CpuList.parse(text))
                .getMessage();
        assertTrue(message.startsWith("CPU list '" + text + "': " + words), message);
        assertTrue(message.endsWith("right would be 0-3,8 for instance"), message);
    }

    @Test
    void numbersOutOfRangeAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> CpuList.of(-1));
        assertThrows(IllegalArgumentException.class, () -> CpuList.of(CpuList.CPUS_MAX));
    }

    @Test
    void listKnowsItsCpus() {
        CpuList list = CpuList.parse("1-2,64");
        assertArrayEquals(new int[] {1, 2, 64}, list.cpus().toArray());
        assertEquals(3, list.size());
        assertTrue(list.contains(64));
        assertFalse(list.contains(0));
        assertFalse(list.contains(-1));
        assertTrue(list.containsAll(CpuList.of(2, 64)));
        assertFalse(list.containsAll(CpuList.of(2, 3)));
        assertEquals(CpuList.of(1, 64), list.without(CpuList.of(0, 2)));
        assertEquals(list.hashCode(), CpuList.of(64, 2, 1).hashCode());
        assertNotEquals(list, CpuList.of(1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "0 | \"\"",
                "3 | 0-1",
                "FF | 0-7",
                "80000000 | 31",
                "00000001,00000000 | 32",
                "00000100,00000000,ffffffff | 0-31,72",
                "1,0 | 32",
            })
    void maskIsReadWordByWord(String mask, String list) {
        assertEquals(CpuList.parse(list), CpuList.parseMask(mask + "\n"));
    }

    @Test
    void maskEndsWhereCpuNumbersEnd() {
        String widest = "80000000" + ",00000000".repeat(255);
        assertEquals(CpuList.of(8191), CpuList.parseMask(widest));
        String message = assertThrows(IllegalArgumentException.class, () -> CpuList.parseMask("1," + widest))
                .getMessage();
        assertTrue(message.endsWith("CPU numbers go from 0 to 8191, not 8192"), message);
        assertEquals(CpuList.of(0), CpuList.parseMask("0,".repeat(300) + "1"));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {"\"\"", "x", "123456789", "\"1,,2\"", "0x1", "-1"})
    void mistakeInAMaskIsNamed(String mask) {
        String message = assertThrows(IllegalArgumentException.class, () -> CpuList.parseMask(mask))
                .getMessage();
        assertTrue(message.startsWith("CPU mask '" + mask + "': '"), message);
        assertTrue(message.endsWith("right would be 00000001,ffffffff for instance"), message);
    }

    @Test
    void listsAreJoined() {
        CpuList list = CpuList.parse("0-3,70");
        assertEquals(CpuList.parse("2-3,70"), list.intersection(CpuList.parse("2-5,70-80")));
        assertEquals(CpuList.parse("0-5,70-80"), list.union(CpuList.parse("2-5,70-80")));
        assertEquals(CpuList.parse("0-3,70"), list);
        assertTrue(list.intersection(CpuList.of()).isEmpty());
    }
}

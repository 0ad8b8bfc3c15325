package org.cabrank.bench.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DurationsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0s, 0",
        "7ns, 7",
        "200us, 200000",
        "200µs, 200000",
        "5ms, 5000000",
        "5 MS, 5000000",
        "1.5s, 1500000000",
        "2min, 120000000000"
    })
    void aNumberAndAUnitAreADuration(String text, long ns) {
        assertEquals(ns, Durations.parse(text).toNanos());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-5s", "5h", "1.2.3s", "five", "5s5s", "NaNs"})
    void anythingElseIsRefusedWithAnExample(String text) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> Durations.parse(text));
        assertTrue(refused.getMessage().contains("200us"), refused.getMessage());
    }

    @Test
    void aDurationBeyondAHundredYearsIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> Durations.parse("99999999999s"));
    }

    @ParameterizedTest
    @CsvSource({"0, 0ns", "999, 999ns", "1500, 1.5us", "200000, 200us", "5000000, 5ms", "1500000000, 1.5s"})
    void aDurationIsWrittenInItsLargestUnit(long ns, String text) {
        assertEquals(text, Durations.format(ns));
    }

    @Test
    void durationsInMessagesOfTheLibraryAreWrittenLikeThoseOfTheCommandLine() {
        assertEquals(
                "from 1ms to 90s, but is 1ns", Durations.replaceIso("from PT0.001S to PT1M30S, but is PT0.000000001S"));
    }

    @Test
    void namesOfFilesInMessagesStayAsTheyAre() {
        String message = "--tls-cert: /srv/PT-1.pem and /srv/PTS/PT.key are no PEM files";
        assertEquals(message, Durations.replaceIso(message));
    }
}

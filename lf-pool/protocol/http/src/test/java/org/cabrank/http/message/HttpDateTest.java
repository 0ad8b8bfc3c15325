package org.cabrank.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.junit.jupiter.api.Test;

final class HttpDateTest {

    @Test
    void datesLookLikeTheOneInTheRfc() {
        assertEquals("Sun, 06 Nov 1994 08:49:37 GMT", HttpDate.format(784_111_777));
    }

    @Test
    void everyDayOfSomeYearsIsWrittenAsTheFormatterOfTheJdkWritesIt() {
        DateTimeFormatter reference = DateTimeFormatter.ofPattern("EEE, dd MMM uuuu HH:mm:ss 'GMT'", Locale.US)
                .withZone(ZoneOffset.UTC);
        for (long second = 1_700_000_000L; second < 1_800_000_000L; second += 86_399) {
            assertEquals(reference.format(Instant.ofEpochSecond(second)), HttpDate.format(second));
        }
    }
}

package org.cabrank.bench.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ByteSizesTest {

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "64,64",
        "16k,16384",
        "16K,16384",
        "1m,1048576",
        "1g,1073741824",
        "2047m,2146435072",
        "2147483647,2147483647"
    })
    void aSizeIsBytesOrPowersOf1024(String text, int bytes) {
        assertEquals(bytes, ByteSizes.parse(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "k", "-1", "1.5k", "16kb", "16 k", "1t", "99999999999"})
    void anythingElseIsRefusedWithWhatWouldBeRight(String text) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> ByteSizes.parse(text));
        assertTrue(refused.getMessage().contains("such as 512, 16k or 1m"), refused.getMessage());
    }

    @Test
    void moreThanAnIntHoldsIsRefused() {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> ByteSizes.parse("2048m"));
        assertTrue(refused.getMessage().contains("too large"), refused.getMessage());
    }
}

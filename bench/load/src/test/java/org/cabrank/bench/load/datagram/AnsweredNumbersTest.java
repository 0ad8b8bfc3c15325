package org.cabrank.bench.load.datagram;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.cabrank.bench.load.datagram.AnsweredNumbers.Answer;
import org.junit.jupiter.api.Test;

final class AnsweredNumbersTest {
    private static final int SIZE = 128;

    @Test
    void anAnswerIsFirstOnceAndUnknownWhenForgottenOrNotSent() {
        AnsweredNumbers numbers = new AnsweredNumbers(SIZE);
        assertEquals(Answer.UNKNOWN, numbers.answered(0));
        numbers.sentTo(1);
        assertEquals(Answer.FIRST, numbers.answered(0));
        assertEquals(Answer.REPEATED, numbers.answered(0));
        numbers.sentTo(SIZE + 1);
        assertEquals(Answer.UNKNOWN, numbers.answered(0));
        assertEquals(Answer.FIRST, numbers.answered(SIZE));
        assertEquals(Answer.UNKNOWN, numbers.answered(-1));
    }

    @Test
    void missingNumbersAreCountedOverAnyRange() {
        Random random = new Random(7);
        AnsweredNumbers numbers = new AnsweredNumbers(SIZE);
        Set<Long> answered = new HashSet<>();
        for (int end = 1; end < 1_000; end++) {
            numbers.sentTo(end);
            long number = Math.max(0, end - 1 - random.nextInt(SIZE));
            numbers.answered(number);
            answered.add(number);
            long from = Math.max(0, end - random.nextInt(SIZE));
            long to = from + random.nextInt((int) (end - from) + 1);
            long missing = 0;
            for (long n = from; n < to; n++) {
                missing += answered.contains(n) ? 0 : 1;
            }
            assertEquals(missing, numbers.missing(from, to));
        }
    }
}

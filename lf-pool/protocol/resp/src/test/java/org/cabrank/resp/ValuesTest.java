package org.cabrank.resp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.cabrank.stream.testkit.EmbeddedConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Values of all types, written and read. */
@Timeout(60)
class ValuesTest {
    private static final BigInteger BIG = BigInteger.ONE.shiftLeft(100);

    private static String written(int version, Consumer<RespWriter> values) {
        try (EmbeddedConnection connection = EmbeddedConnection.open((own, data) -> {
            RespWriter writer = RespWriter.of(own);
            writer.version(version);
            values.accept(writer);
            data.position(data.limit());
        })) {
            connection.peerSends("x");
            assertNull(connection.closeCause());
            return StandardCharsets.ISO_8859_1
                    .decode(connection.peerReceivesBytes())
                    .toString();
        }
    }

    private static void everyType(RespWriter writer) {
        writer.ok();
        writer.simple("line\r\nend é");
        writer.error("ERR no");
        writer.bulkError("ERR no\r\nno");
        writer.integer(0);
        writer.integer(Long.MIN_VALUE);
        writer.integer(-10);
        writer.integer(1_000);
        writer.bigNumber(BIG);
        writer.decimal(1.5);
        writer.decimal(10);
        writer.decimal(-1e300);
        writer.decimal(Double.NEGATIVE_INFINITY);
        writer.decimal(Double.NaN);
        writer.bool(true);
        writer.bool(false);
        writer.nil();
        writer.nilArray();
        writer.bulk("é");
        writer.bulk(new byte[0]);
        writer.bulk(ByteBuffer.wrap(new byte[] {'a', 0, 'b'}));
        writer.verbatim("txt", "text");
        writer.array(0);
        writer.array(2);
        writer.integer(1);
        writer.map(1);
        writer.simple("key");
        writer.set(1);
        writer.simple("element");
        writer.push(2);
        writer.simple("message");
        writer.integer(5);
        writer.attribute(1);
        writer.simple("ttl");
        writer.array(1);
        writer.integer(3);
        writer.integer(7);
        writer.attribute(0);
        writer.array(1);
        writer.attribute(1);
        writer.simple("a");
        writer.simple("b");
        writer.integer(8);
    }

    @Test
    void version3HasEveryType() {
        assertEquals(
                "+OK\r\n+line  end Ã©\r\n-ERR no\r\n!10\r\nERR no\r\nno\r\n:0\r\n:-9223372036854775808\r\n:-10\r\n:1000\r\n"
                        + "(1267650600228229401496703205376\r\n,1.5\r\n,10\r\n,-1.0E300\r\n,-inf\r\n,nan\r\n#t\r\n#f\r\n_\r\n_\r\n"
                        + "$2\r\nÃ©\r\n$0\r\n\r\n$3\r\na\0b\r\n=8\r\ntxt:text\r\n*0\r\n"
                        + "*2\r\n:1\r\n%1\r\n+key\r\n~1\r\n+element\r\n>2\r\n+message\r\n:5\r\n"
                        + "|1\r\n+ttl\r\n*1\r\n:3\r\n:7\r\n|0\r\n*1\r\n|1\r\n+a\r\n+b\r\n:8\r\n",
                written(3, ValuesTest::everyType));
    }

    /** As Redis writes them to clients that have not said HELLO 3. */
    @Test
    void version2HasTheTypesThatItKnows() {
        assertEquals(
                "+OK\r\n+line  end Ã©\r\n-ERR no\r\n-ERR no  no\r\n:0\r\n:-9223372036854775808\r\n:-10\r\n:1000\r\n"
                        + "$31\r\n1267650600228229401496703205376\r\n$3\r\n1.5\r\n$2\r\n10\r\n$8\r\n-1.0E300\r\n$4\r\n-inf\r\n"
                        + "$3\r\nnan\r\n:1\r\n:0\r\n$-1\r\n*-1\r\n$2\r\nÃ©\r\n$0\r\n\r\n$3\r\na\0b\r\n$4\r\ntext\r\n*0\r\n"
                        + "*2\r\n:1\r\n*2\r\n+key\r\n*1\r\n+element\r\n*2\r\n+message\r\n:5\r\n"
                        + ":7\r\n*1\r\n:8\r\n",
                written(2, ValuesTest::everyType));
    }

    private static List<String> read(String stream, int... cuts) throws RespException {
        return readValues(stream, cuts).stream().map(ValuesTest::show).toList();
    }

    private static List<RespValue> readValues(String stream, int... cuts) throws RespException {
        RespReader reader = new RespReader();
        List<RespValue> values = new ArrayList<>();
        int from = 0;
        for (int i = 0; i <= cuts.length; i++) {
            int to = i < cuts.length ? cuts[i] : stream.length();
            ByteBuffer data = StandardCharsets.ISO_8859_1.encode(stream.substring(from, to));
            from = to;
            while (data.hasRemaining()) {
                RespValue value = reader.read(data);
                if (value != null) {
                    values.add(value);
                }
            }
        }
        return values;
    }

    private static String show(RespValue value) {
        return value instanceof RespValue.BulkString string ? "\"" + string.text() + "\"" : value.toString();
    }

    @Test
    void theReaderReadsWhatTheWriterWritesHoweverTheBytesAreCut() throws RespException {
        for (int version = 2; version <= 3; version++) {
            String stream = written(version, ValuesTest::everyType);
            List<String> values = read(stream);
            assertEquals(27, values.size(), values.toString());
            for (int cut = 1; cut < stream.length(); cut++) {
                assertEquals(values, read(stream, cut));
            }
            Random random = new Random(version);
            for (int round = 0; round < 100; round++) {
                int[] cuts =
                        random.ints(20, 1, stream.length()).sorted().distinct().toArray();
                assertEquals(values, read(stream, cuts));
            }
        }
        List<String> values = read(written(3, ValuesTest::everyType));
        assertEquals("ErrorReply[text=ERR no\r\nno, isBulk=true]", values.get(3));
        assertEquals("BigNumber[value=" + BIG + "]", values.get(8));
        assertEquals("Decimal[value=-1.0E300]", values.get(11));
        assertEquals(
                "Attributed[attributes=MapValue[keysAndValues=[SimpleString[text=ttl],"
                        + " ArrayValue[elements=[IntegerValue[value=3]]]]], value=IntegerValue[value=7]]",
                values.get(25));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x\r\n",
                "+a\n",
                ":\r\n",
                ":1x\r\n",
                ":99999999999999999999\r\n",
                "(x\r\n",
                ",1.2.3\r\n",
                ",NaN\r\n",
                "#x\r\n",
                "_x\r\n",
                "$-2\r\n",
                "$1\r\nabc",
                "$1048577\r\n",
                "$?\r\n",
                "*-2\r\n",
                "*65537\r\n",
                "%-1\r\n",
                "=2\r\nab\r\n",
                "*1\r\n>1\r\n",
                "\r\n",
            })
    void malformedValuesAreRefused(String stream) {
        assertThrows(RespException.class, () -> read(stream));
    }

    @ParameterizedTest
    @CsvSource({"31, true", "32, true", "33, false"})
    void valuesHaveALimitOfLevels(int levels, boolean allowed) throws RespException {
        String stream = "*1\r\n".repeat(levels) + ":1\r\n";
        if (allowed) {
            assertEquals(1, read(stream).size());
        } else {
            assertThrows(RespException.class, () -> read(stream));
        }
    }

    @Test
    void valuesHaveALimitInAll() throws RespException {
        RespReader reader = new RespReader(RespLimits.DEFAULT.withTotalBytesMax(100));
        assertNotNull(reader.read(StandardCharsets.US_ASCII.encode("*2\r\n$40\r\n" + "x".repeat(40) + "\r\n:1\r\n")));
        assertThrows(
                RespException.class,
                () -> reader.read(StandardCharsets.US_ASCII.encode(
                        "*2\r\n$40\r\n" + "x".repeat(40) + "\r\n$50\r\n" + "x".repeat(50) + "\r\n")));
    }

    @Test
    void longStringsAreWrittenWhole() throws RespException {
        String text = "0123456789".repeat(5_000);
        List<RespValue> values = readValues(written(3, writer -> {
            writer.array(4);
            writer.bulk(text);
            writer.bulk(ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII)));
            writer.simple(text);
            writer.error("é" + text);
            writer.ok();
        }));
        assertEquals(2, values.size());
        RespValue.ArrayValue array = (RespValue.ArrayValue) values.get(0);
        assertEquals(
                List.of("\"" + text + "\"", "\"" + text + "\"", "SimpleString[text=" + text + "]"),
                array.elements().subList(0, 3).stream().map(ValuesTest::show).toList());
        assertEquals(
                new RespValue.ErrorReply("é" + text, false), array.elements().get(3));
    }

    @Test
    void misuseIsRefused() {
        written(3, writer -> {
            assertThrows(IllegalArgumentException.class, () -> writer.version(4));
            assertThrows(IllegalArgumentException.class, () -> writer.array(-1));
            assertThrows(IllegalArgumentException.class, () -> writer.verbatim("text", ""));
            writer.array(1);
            assertThrows(IllegalStateException.class, () -> writer.push(1));
        });
        assertThrows(IllegalArgumentException.class, () -> RespLimits.DEFAULT.withElementsMax(0));
    }
}

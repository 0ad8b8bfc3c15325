package org.cabrank.socket.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.cabrank.kernel.layout.TcpInfoLayout;
import org.cabrank.stream.TcpInfo;
import org.cabrank.stream.TcpInfo.CongestionState;
import org.cabrank.stream.TcpInfo.Option;
import org.cabrank.stream.TcpInfo.State;
import org.junit.jupiter.api.Test;

class TcpInfoDecoderTest {
    private static final Set<String> UNITS = Set.of("", "_US", "_MS", "_BYTES", "_SEGMENTS", "_BYTES_PER_SECOND");

    /** Fields that are flags or share a byte. */
    private static final Set<String> SPECIAL = Set.of(
            "state", "caState", "options", "sndWscale", "rcvWscale", "deliveryRateAppLimited", "fastopenClientFail");

    private final byte[] value = new byte[TcpInfoLayout.SIZE_BYTES];
    private final ByteBuffer bytes = ByteBuffer.wrap(value).order(ByteOrder.nativeOrder());

    /** The fields by their offset; a field ends where the next begins, or at a multiple of its size before that. */
    private static TreeMap<Integer, String> fields() throws ReflectiveOperationException {
        TreeMap<Integer, String> fields = new TreeMap<>();
        for (var constant : TcpInfoLayout.class.getFields()) {
            if (constant.getName().endsWith("_OFFSET")) {
                fields.put(constant.getInt(null), constant.getName().replace("_OFFSET", ""));
            }
        }
        return fields;
    }

    private static int offsetOf(RecordComponent component) throws ReflectiveOperationException {
        String name = component.getName().replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
        for (Map.Entry<Integer, String> field : fields().entrySet()) {
            if (name.startsWith(field.getValue())
                    && UNITS.contains(name.substring(field.getValue().length()))) {
                return field.getKey();
            }
        }
        throw new AssertionError(component + " is not in the layout");
    }

    private static long number(RecordComponent component, TcpInfo info) throws ReflectiveOperationException {
        return (long) component.getAccessor().invoke(info);
    }

    @Test
    void eachComponentIsTheFieldOfItsName() throws Exception {
        TreeMap<Integer, String> fields = fields();
        for (int offset : fields.keySet()) {
            value[offset] = (byte) (offset + 1);
        }
        TcpInfo info = TcpInfoDecoder.decode(value, value.length);
        for (RecordComponent component : TcpInfo.class.getRecordComponents()) {
            if (!SPECIAL.contains(component.getName())) {
                int offset = offsetOf(component);
                assertEquals(offset + 1, number(component, info), component.getName());
                fields.remove(offset);
            }
        }
        assertEquals(
                "[STATE, CA_STATE, OPTIONS, WSCALE, FLAGS]", fields.values().toString());
    }

    @Test
    void everyFieldIsReadWholeAndWithoutSign() throws Exception {
        Arrays.fill(value, (byte) 0xfe);
        TcpInfo info = TcpInfoDecoder.decode(value, value.length);
        assertEquals(0xfe, info.retransmits());
        assertEquals(0xfefe_fefeL, info.rttUs());
        assertEquals(0xfefe, info.totalRto());
        assertEquals(0xfefe_fefe_fefe_fefeL, info.bytesAcked());
    }

    @Test
    void fieldsThatAnOlderKernelDoesNotReturnAreAbsent() throws Exception {
        Arrays.fill(value, (byte) 1);
        for (int length = TcpInfoLayout.PACING_RATE_OFFSET; length < value.length; length++) {
            TcpInfo info = TcpInfoDecoder.decode(value, length);
            for (RecordComponent component : TcpInfo.class.getRecordComponents()) {
                if (!SPECIAL.contains(component.getName())) {
                    int offset = offsetOf(component);
                    boolean isAbsent = number(component, info) == TcpInfo.ABSENT;
                    if (offset >= length) {
                        assertTrue(isAbsent, component + " of " + length + " bytes");
                    } else if (offset + Long.BYTES <= length) {
                        assertTrue(!isAbsent, component + " of " + length + " bytes");
                    }
                }
            }
        }
    }

    @Test
    void flagsAndSharedBytesAreTakenApart() {
        bytes.put(TcpInfoLayout.STATE_OFFSET, (byte) 8);
        bytes.put(TcpInfoLayout.CA_STATE_OFFSET, (byte) 3);
        bytes.put(TcpInfoLayout.OPTIONS_OFFSET, (byte) 0b1000_0101);
        bytes.put(TcpInfoLayout.WSCALE_OFFSET, (byte) 0xe7);
        bytes.put(TcpInfoLayout.FLAGS_OFFSET, (byte) 0b101);
        TcpInfo info = TcpInfoDecoder.decode(value, value.length);
        assertEquals(State.CLOSE_WAIT, info.state());
        assertEquals(CongestionState.RECOVERY, info.caState());
        assertEquals(Set.of(Option.TIMESTAMPS, Option.WSCALE, Option.TFO_CHILD), info.options());
        assertEquals(7, info.sndWscale());
        assertEquals(14, info.rcvWscale());
        assertTrue(info.deliveryRateAppLimited());
        assertEquals(2, info.fastopenClientFail());
    }

    @Test
    void numbersOfLaterKernelsAreUnknown() {
        bytes.put(TcpInfoLayout.STATE_OFFSET, (byte) 99);
        bytes.put(TcpInfoLayout.CA_STATE_OFFSET, (byte) 99);
        TcpInfo info = TcpInfoDecoder.decode(value, value.length);
        assertEquals(State.UNKNOWN, info.state());
        assertEquals(CongestionState.UNKNOWN, info.caState());
    }

    @Test
    void allOnesMeanNoLimitOfARateAndNoSampleOfATime() {
        bytes.putLong(TcpInfoLayout.MAX_PACING_RATE_OFFSET, -1);
        bytes.putInt(TcpInfoLayout.MIN_RTT_OFFSET, -1);
        TcpInfo info = TcpInfoDecoder.decode(value, value.length);
        assertEquals(TcpInfo.UNLIMITED, info.maxPacingRateBytesPerSecond());
        assertEquals(0, info.pacingRateBytesPerSecond());
        assertEquals(TcpInfo.ABSENT, info.minRttUs());
    }
}

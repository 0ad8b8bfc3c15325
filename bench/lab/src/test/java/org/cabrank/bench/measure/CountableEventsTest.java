package org.cabrank.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.cabrank.kernel.Errno;
import org.cabrank.kernel.Kernels;
import org.cabrank.kernel.PerfEventAttr;
import org.cabrank.kernel.PerfEvents;
import org.cabrank.kernel.contract.ForwardingKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CountableEventsTest {

    private static final String TRACEPOINT = "sys/kernel/tracing/events/raw_syscalls/sys_enter/id";
    private static final int NUMBER = 443;

    @TempDir
    Path root;

    /** A machine that returns a fixed result for each type of event. */
    private static final class Machine extends ForwardingKernel {
        private final int tracepoint;
        private final int hardware;

        Machine(int tracepoint, int hardware) throws Exception {
            super(Kernels.system());
            this.tracepoint = tracepoint;
            this.hardware = hardware;
        }

        @Override
        public int perfEventOpen(long attributes, int tid, int cpu, int groupFd, int flags) {
            ByteBuffer read = viewOf(attributes, PerfEventAttr.SIZE_BYTES);
            boolean ofTracepoint = read.getInt(PerfEventAttr.TYPE_OFFSET) == PerfEvents.PERF_TYPE_TRACEPOINT
                    && read.getLong(PerfEventAttr.CONFIG_OFFSET) == NUMBER;
            int answer = ofTracepoint ? tracepoint : hardware;
            return answer == 0 ? eventfd(0, 0) : answer;
        }
    }

    private CountableEvents on(int tracepoint, int hardware) throws Exception {
        return CountableEvents.of(new Machine(tracepoint, hardware), root);
    }

    private void write(String file, String text) throws IOException {
        Files.createDirectories(root.resolve(file).getParent());
        Files.writeString(root.resolve(file), text);
    }

    @Test
    void whatAMachineHasIsCounted() throws Exception {
        write(TRACEPOINT, NUMBER + "\n");
        CountableEvents all = on(0, 0);
        assertEquals(Set.of(CountedEvent.values()), all.events().keySet());
        assertEquals(List.of(), all.leftOut());
        assertEquals(
                new PerfEvent(PerfEvents.PERF_TYPE_TRACEPOINT, NUMBER),
                all.events().get(CountedEvent.SYSTEM_CALLS));
    }

    @Test
    void aVirtualMachineHasNoHardwareCountersAndSaysSo() throws Exception {
        write(TRACEPOINT, NUMBER + "\n");
        CountableEvents some = on(0, -Errno.ENOENT);
        assertEquals(Set.of(CountedEvent.SYSTEM_CALLS), some.events().keySet());
        assertEquals(
                List.of("Instructions, cycles and cache misses are not counted: there are no hardware counters on this"
                        + " machine."),
                some.leftOut());
    }

    @Test
    void withoutTracefsTheRemedyIsNamed() throws Exception {
        CountableEvents none = on(0, -Errno.ENOENT);
        assertTrue(none.isEmpty());
        assertTrue(
                none.leftOut().get(0).contains("mount -t tracefs tracefs /sys/kernel/tracing"),
                none.leftOut().get(0));
        write("sys/kernel/tracing/events/enable", "0\n");
        String kernel = on(0, -Errno.ENOENT).leftOut().get(0);
        assertTrue(kernel.contains("this kernel has no tracepoint"), kernel);
    }

    @Test
    void whoMayNotCountIsToldWhatForbidsIt() throws Exception {
        write(TRACEPOINT, NUMBER + "\n");
        write("proc/sys/kernel/perf_event_paranoid", "3\n");
        for (int errno : new int[] {Errno.EACCES, Errno.EPERM}) {
            CountableEvents none = on(-errno, -errno);
            assertTrue(none.isEmpty());
            assertEquals(2, none.leftOut().size());
            for (String sentence : none.leftOut()) {
                assertTrue(sentence.contains("kernel.perf_event_paranoid is 3"), sentence);
                assertTrue(sentence.contains("sysctl kernel.perf_event_paranoid=-1"), sentence);
            }
        }
    }

    @Test
    void aFileThatCannotBeReadIsNoAbsence() throws Exception {
        Files.createDirectories(root.resolve(TRACEPOINT));
        String sentence = on(0, 0).leftOut().get(0);
        assertTrue(sentence.contains("this user may not read"), sentence);
    }
}

package org.cabrank.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.cabrank.bench.text.Colours;
import org.cabrank.pinning.doctor.Finding;
import org.cabrank.pinning.doctor.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of the findings. */
final class DoctorReportTest {
    private static final Finding JDK =
            new Finding("jdk", Severity.WARNING, "JDK", "17: the kernel is called through JNA", "each call", "JDK 22");
    private static final Finding QUOTA = new Finding("quota", Severity.OK, "CPU quota", "none", "", "");
    private static final Finding HEAP = new Finding("heap", Severity.OK, "heap", "1 GiB", "", "");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theReportEndsInACount(boolean coloured) {
        DoctorReport report = new DoctorReport(List.of(JDK, JDK, QUOTA, HEAP));
        String text = report.text(new Colours(coloured)).replaceAll("\u001b\\[[0-9;]*m", "");
        assertTrue(text.contains("warning  JDK: 17: the kernel is called through JNA\n         effect: each"), text);
        assertTrue(text.endsWith("\n2 warnings, 2 ok\n"), text);
        assertTrue(report.hasWarnings());
    }

    @Test
    void aReportWithoutWarningsHasNone() {
        assertFalse(new DoctorReport(List.of(QUOTA, HEAP)).hasWarnings());
        assertEquals(
                "ok", new DoctorReport(List.of(QUOTA)).json().findings().get(0).severity());
    }
}

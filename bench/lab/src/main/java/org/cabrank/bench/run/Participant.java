package org.cabrank.bench.run;

import java.util.ArrayList;
import java.util.List;
import org.cabrank.bench.contender.Contender;
import org.cabrank.bench.contender.NativeContender;
import org.cabrank.bench.report.BenchReport.ContenderInfo;
import org.cabrank.bench.report.ContenderKind;

/** @param name name in the report. It is the contender's name, except for the control. */
public record Participant(String name, ContenderKind kind, Contender contender) {

    private static final String AGAIN = "-again";

    public static Participant of(Contender contender) {
        return new Participant(contender.name(), contender.kind(), contender);
    }

    static Participant again(Contender baseline) {
        return new Participant(baseline.name() + AGAIN, ContenderKind.CONTROL, baseline);
    }

    public ContenderInfo info(List<String> heapFlags) {
        List<String> flags = new ArrayList<>();
        if (!(contender instanceof NativeContender)) {
            flags.addAll(heapFlags);
            flags.addAll(contender.jvmFlags(Runtime.version().feature()));
        }
        return new ContenderInfo(name, kind, contender.tuning(), flags);
    }
}

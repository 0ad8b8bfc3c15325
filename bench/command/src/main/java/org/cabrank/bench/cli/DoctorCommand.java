package org.cabrank.bench.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.topology.TopologyReader;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.text.Colours;
import org.cabrank.pinning.MachineSnapshot;
import org.cabrank.pinning.doctor.CheckContext;
import org.cabrank.pinning.doctor.Doctor;
import org.cabrank.pinning.doctor.Finding;
import org.cabrank.pinning.doctor.JvmFacts;
import org.cabrank.pinning.doctor.RingTrial;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Examines this machine, process and JVM for causes of latency, and prints the effect and a remedy of each finding.",
            "With --pid: observes a running server that was started with --jmx, and names its bottlenecks.",
            "Exit status: 0 whatever it finds; with --strict 1 where there is a warning or a problem; 1 if the server cannot"
                    + " be examined."
        })
final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private PlanOptions plan;

    @Option(names = "--json", description = "Prints the findings as JSON.")
    private boolean json;

    @Option(names = "--strict", description = "Ends with exit status 1 where there is a warning or a problem.")
    private boolean strict;

    @Mixin
    private ServerOptions server;

    @Mixin
    private MachineRoots roots;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        DoctorReport report = new DoctorReport(findings());
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? JsonFile.text(report.json()) + "\n" : report.text(Colours.ofStandardOutput()));
        out.flush();
        return strict && report.hasWarnings() ? Errors.FAILED : 0;
    }

    private List<Finding> findings() {
        return server.isWanted(spec.commandLine()) ? server.examine() : machine();
    }

    private List<Finding> machine() {
        MachineSnapshot snapshot = CommandMachine.snapshot(roots, spec.commandLine());
        PlacementPlan planned = plan.plan(snapshot, spec.commandLine());
        boolean here = TopologyReader.isHere(roots.sysfs(), roots.procfs());
        CheckContext context = new CheckContext(
                snapshot,
                planned,
                roots.sysfs(),
                roots.procfs(),
                JvmFacts.ofThisOne(),
                here ? RingTrial.here() : RingTrial.NONE);
        return Doctor.examine(context);
    }
}

package org.cabrank.bench.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.cabrank.affinity.placement.PlacementPlan;
import org.cabrank.affinity.topology.TopologyReader;
import org.cabrank.bench.doctor.Doctor;
import org.cabrank.bench.doctor.DoctorReport;
import org.cabrank.bench.doctor.JvmFacts;
import org.cabrank.bench.doctor.Patient;
import org.cabrank.bench.doctor.RingTrial;
import org.cabrank.bench.place.Surroundings;
import org.cabrank.bench.report.JsonFile;
import org.cabrank.bench.text.Colours;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code cabrank doctor}. */
@Command(
        name = "doctor",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Looks at what this machine, this process and this JVM allow, and says of each what it means for a service that"
                    + " shall answer fast, and what would help.",
            "Exit status: 0 whatever it finds; with --strict 1 where there is a warning or a problem."
        })
final class DoctorCommand implements Callable<Integer> {

    @Mixin
    private PlanOptions plan;

    @Option(names = "--json", description = "Prints the findings as JSON.")
    private boolean json;

    @Option(names = "--strict", description = "Ends with exit status 1 where there is a warning or a problem.")
    private boolean strict;

    @Mixin
    private MachineRoots roots;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        Surroundings surroundings = Machine.surroundings(roots, spec.commandLine());
        PlacementPlan planned = plan.plan(surroundings, spec.commandLine());
        boolean here =
                roots.sysfs().equals(TopologyReader.SYSFS) && roots.procfs().equals(TopologyReader.PROCFS);
        Patient patient = new Patient(
                surroundings,
                planned,
                roots.sysfs(),
                roots.procfs(),
                JvmFacts.ofThisOne(),
                here ? RingTrial.here() : RingTrial.NONE);
        DoctorReport report = new DoctorReport(Doctor.examine(patient));
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? JsonFile.text(report.json()) + "\n" : report.text(Colours.ofStandardOutput()));
        out.flush();
        return strict && report.hasWarnings() ? Errors.FAILED : 0;
    }
}

package org.cabrank.affinity.topology;

import java.util.Objects;

/** Architecture as by uname(2) (x86_64), kernel release (6.12.9-amd64) and processors' model of a machine. Unknown names are empty. */
public record MachineInfo(String architecture, String kernelRelease, String modelName) {
    public MachineInfo {
        Objects.requireNonNull(architecture);
        Objects.requireNonNull(kernelRelease);
        Objects.requireNonNull(modelName);
    }
}

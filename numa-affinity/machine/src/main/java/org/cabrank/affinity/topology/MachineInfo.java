package org.cabrank.affinity.topology;

import java.util.Objects;

/**
 * Names that describe a machine. Unknown names are empty.
 *
 * @param architecture as in uname(2), for example {@code x86_64}
 * @param kernelRelease for example {@code 6.12.9-amd64}
 * @param modelName model of the processors
 */
public record MachineInfo(String architecture, String kernelRelease, String modelName) {
    public MachineInfo {
        Objects.requireNonNull(architecture);
        Objects.requireNonNull(kernelRelease);
        Objects.requireNonNull(modelName);
    }
}

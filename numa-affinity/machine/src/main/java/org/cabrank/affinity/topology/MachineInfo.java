package org.cabrank.affinity.topology;

import java.util.Objects;

/**
 * Names of a machine's architecture, kernel and processors. Unknown names are empty.
 *
 * @param architecture as uname(2) reports it: x86_64, aarch64
 * @param kernelRelease such as 6.12.9-amd64
 * @param modelName model of the processors
 */
public record MachineInfo(String architecture, String kernelRelease, String modelName) {
    public MachineInfo {
        Objects.requireNonNull(architecture);
        Objects.requireNonNull(kernelRelease);
        Objects.requireNonNull(modelName);
    }
}

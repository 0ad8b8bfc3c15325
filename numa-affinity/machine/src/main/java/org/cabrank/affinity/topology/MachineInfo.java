package org.cabrank.affinity.topology;

import java.util.Objects;

/**
 * What a machine calls itself. Each is empty where it is not known.
 *
 * @param architecture as uname(2) has it: x86_64, aarch64
 * @param kernelRelease such as 6.12.9-amd64
 * @param modelName of the processors
 */
public record MachineInfo(String architecture, String kernelRelease, String modelName) {
    public MachineInfo {
        Objects.requireNonNull(architecture);
        Objects.requireNonNull(kernelRelease);
        Objects.requireNonNull(modelName);
    }
}

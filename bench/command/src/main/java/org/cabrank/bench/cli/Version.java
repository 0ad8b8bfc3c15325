package org.cabrank.bench.cli;

import org.cabrank.bench.text.BuildVersion;
import picocli.CommandLine.IVersionProvider;

/** Output of {@code --version}. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"cabrank " + BuildVersion.text(), "Java " + System.getProperty("java.vm.version")};
    }
}

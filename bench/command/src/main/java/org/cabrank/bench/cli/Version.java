package org.cabrank.bench.cli;

import org.cabrank.bench.text.BuildVersion;
import picocli.CommandLine.IVersionProvider;

final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"cabrank " + BuildVersion.text(), "Java " + System.getProperty("java.vm.version")};
    }
}

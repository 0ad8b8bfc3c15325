package org.cabrank.bench.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this build, as Maven wrote it into a resource. */
public final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        return new String[] {"cabrank " + text(), "Java " + System.getProperty("java.vm.version")};
    }

    public static String text() {
        Properties properties = new Properties();
        try (InputStream resource = Version.class.getResourceAsStream("version.properties")) {
            properties.load(resource);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return properties.getProperty("version");
    }
}
